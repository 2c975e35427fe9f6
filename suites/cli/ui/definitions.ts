import { readDotEnv } from '../../../fixtures/deployments/environment/index.ts'
import { definitionFilesIn, findDefinition, OWN } from '../../../fixtures/deployments/loading/index.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'

export interface ProjectDefinition {
  /** The name as `--deployment` takes it. */
  name: string
  /** A description for people. */
  is: string
  /** A `file:` address. */
  address: string
}

/**
 * Returns the definitions that can be chosen: the modules in the project's folder that define a deployment, as `init` writes
 * them, and the named files; `env` if the environment names an address; and the embedded one last, so that it is preselected
 * only where there is no other.
 */
export function definitionsIn(directory: string, named: readonly string[] = []): ProjectDefinition[] {
  readDotEnv(directory)
  const files = definitionFilesIn(directory).map(file => ({ name: `./${file}`, is: file }))
  const others = named
    .filter(name => !['embedded', 'env', ...files.map(file => file.name)].includes(name))
    .map(name => ({ name, is: name }))
  const shipped = [{ name: 'embedded', is: 'the embedded deployment' }]
  if ((process.env.TSS_BASE_URL ?? '').trim() !== '')
    shipped.unshift({ name: 'env', is: 'what .env and the environment say' })
  return [...files, ...others, ...shipped].map(each => ({
    ...each,
    address: findDefinition(each.name, directory),
  }))
}

/** Returns the definition to preselect: what a command would take where none is named; `undefined` where it would take none. */
export function preselectedIn(all: readonly ProjectDefinition[]): ProjectDefinition | undefined {
  const [first, second] = all
  const isOneOfSeveral = second !== undefined && !['embedded', 'env'].includes(second.name)
  return isOneOfSeveral && !OWN.test(first!.is) ? undefined : first
}

/** Returns the definition with this name. @throws {Failure} if the project has none */
export function definitionNamed(name: string, all: readonly ProjectDefinition[]): ProjectDefinition {
  const found = all.find(one => one.name === name)
  if (found !== undefined) return found
  throw wrongCall(
    `The project has no definition ${name}: choose one of ${all.map(one => one.name).join(', ')}.`,
  )
}
