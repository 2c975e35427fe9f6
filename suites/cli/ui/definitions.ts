import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findDefinition } from '../../../fixtures/deployments/load.ts'
import { LARGEST, readFileOf } from '../../../fixtures/read-file.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'

export interface ProjectDefinition {
  /** The name as `--deployment` takes it. */
  name: string
  /** A description for people. */
  is: string
  /** A `file:` address. */
  address: string
}

/** Matches every file that defines a deployment. */
const NAMES_THE_KIT = /\bdefineDeployment\b|['"]travel-sales-conformance['"]/

/**
 * Returns the definitions that can be chosen: the embedded one, `env` if the environment names an address, the modules in
 * the project's folder that export a definition by default, as `init` writes them, and the named files. The files are only
 * read as text, not loaded.
 */
export function definitionsIn(directory: string, named: readonly string[] = []): ProjectDefinition[] {
  const shipped = [{ name: 'embedded', is: 'the embedded deployment' }]
  if ((process.env.TSS_BASE_URL ?? '') !== '')
    shipped.push({ name: 'env', is: 'what .env and the environment say' })
  const files = readdirSync(directory)
    .filter(file => /^[^.].*\.m?[jt]s$/.test(file) && !/\.(?:d|test|spec|config)\.m?[jt]s$/.test(file))
    .filter(file => isDefinition(join(directory, file)))
    .map(file => ({ name: `./${file}`, is: file }))
  const others = named.filter(name => !['embedded', 'env', ...files.map(file => file.name)].includes(name))
  return [...shipped, ...files, ...others.map(name => ({ name, is: name }))].map(each => ({
    ...each,
    address: findDefinition(each.name, directory),
  }))
}

function isDefinition(path: string): boolean {
  try {
    if (!lstatSync(path).isFile()) return false
    const text = readFileOf(path, LARGEST.small, code => new Error(code))
    return /\bexport default\b/.test(text) && NAMES_THE_KIT.test(text)
  } catch {
    return false
  }
}

/** Returns the definition with this name. @throws {Failure} if the project has none */
export function definitionNamed(name: string, all: readonly ProjectDefinition[]): ProjectDefinition {
  const found = all.find(one => one.name === name)
  if (found !== undefined) return found
  throw wrongCall(
    `The project has no definition ${name}: choose one of ${all.map(one => one.name).join(', ')}.`,
  )
}
