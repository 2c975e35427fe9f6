import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findDefinition } from '../../../fixtures/deployments/load.ts'
import { LARGEST, readFileOf } from '../../../fixtures/read-file.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'

/** A definition that the project has. */
export interface ProjectDefinition {
  /** As `--deployment` takes it. */
  name: string
  /** What it is, for people. */
  is: string
  /** A `file:` address. */
  address: string
}

/** Every file of the kit that a deployment is defined with names one of these. */
const NAMES_THE_KIT = /\bdefineDeployment\b|['"]travel-sales-conformance['"]/

/**
 * Returns the definitions that can be chosen: the embedded one, the variables of the environment where they name an
 * address, and the modules in the folder of the project itself that say `export default` and name the kit, as `init`
 * writes them, and those that whoever started the pages has named. They are read as text; none is loaded here.
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

/** Returns the definition that somebody chose. @throws {Failure} for one that the project does not have */
export function definitionNamed(name: string, all: readonly ProjectDefinition[]): ProjectDefinition {
  const found = all.find(one => one.name === name)
  if (found !== undefined) return found
  throw wrongCall(
    `The project has no definition ${name}: choose one of ${all.map(one => one.name).join(', ')}.`,
  )
}
