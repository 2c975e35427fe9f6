import { isBuiltin } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { type Plugin, rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { type Inconclusive, notExercised } from '../../fixtures/check/evidence/assume.ts'
import { type Deployment, secretsOf } from '../../fixtures/deployments/definition/index.ts'
import { type AdapterName, KIT_ADAPTERS } from './kit-adapters.ts'
import type { ScenarioName } from './plan.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const KIT = pathOf('../../')
const OWN_SHAPES = pathOf(`../scenarios/lib/own-shapes.${extension}`)

/** The module that definitions import under the kit's name. */
const PACKAGE = pathOf(`../../fixtures/deployments/index.${extension}`)

/** The kit's modules that adapters may use in k6. Others need Node. */
const FOR_ADAPTERS = ['open-shapes', 'defaults', 'defaults-v1', 'catalog'].map(name =>
  pathOf(`../../fixtures/deployments/definition/${name}.${extension}`),
)

/** The address of a definition, and what must not be part of its bundle. */
export interface DefinitionSource {
  /** A `file:` address. */
  definition: string
  /** Credentials, and values of headers. */
  secrets: readonly string[]
}

/** Returns the source of a definition if k6 needs its adapters, or `undefined` if it uses the kit's own. */
export function sourceForK6(deployment: Deployment, definition: string): DefinitionSource | undefined {
  const { shapes } = deployment
  const used = Object.entries(KIT_ADAPTERS).every(([shape, adapters]) =>
    Object.entries(adapters).every(
      ([name, kits]) => (shapes as unknown as Record<string, Adapters>)[shape]?.[name] === kits,
    ),
  )
  return used ? undefined : { definition, secrets: secretsOf(deployment) }
}

type Adapters = Record<string, unknown>

/** Returns the adapter with a name. */
const adapterOf = (shapes: unknown, name: AdapterName): unknown => {
  const [shape, part] = name.split('.') as [string, string]
  return (shapes as Record<string, Adapters | undefined>)[shape]?.[part]
}

/** Returns the script of a scenario for k6, with all its imports. */
export const bundleScenario = (scenario: ScenarioName, source?: DefinitionSource): Promise<string> =>
  bundle(pathOf(`../scenarios/${scenario}.${extension}`), 'esm', source)

/** Tests an adapter with a real answer: throws `Inconclusive` if the bundled one returns another result. */
export type AdapterTrial = <Given extends unknown[]>(
  name: AdapterName,
  used: (...given: Given) => unknown,
  ...given: Given
) => void

/** The adapters of a definition for k6. */
interface AdaptersForK6 {
  tryAdapter: AdapterTrial
  /** Absent if k6 needs none of them or cannot load them; the run then continues without. */
  source: DefinitionSource | undefined
}

/**
 * Bundles the adapters of a definition and evaluates them as k6 does, without Node.
 *
 * @returns a function that tests an adapter; it accepts everything if the kit's own adapters are used
 */
export async function adaptersForK6(source: DefinitionSource | undefined): Promise<AdaptersForK6> {
  if (source === undefined) return { tryAdapter: () => {}, source }
  let own: unknown
  try {
    const code = await bundle(OWN_SHAPES, 'iife', source)
    own = runInContext(`${code};bundled.ownShapes`, createContext({}), { timeout: 1000 })
  } catch (error) {
    const tryAdapter: AdapterTrial = (name, used, ..._) => {
      if (adapterOf(KIT_ADAPTERS, name) !== used) throw unusable(name, error)
    }
    return { tryAdapter, source: undefined }
  }
  const tryAdapter: AdapterTrial = (name, used, ...given) => {
    const adapter = adapterOf(own, name)
    if (adapter === undefined && adapterOf(KIT_ADAPTERS, name) === used) return
    try {
      const here = (adapter as typeof used)(...structuredClone(given))
      if (isDeepStrictEqual(plain(here), plain(used(...given)))) return
    } catch (error) {
      throw unusable(name, error)
    }
    throw unusable(name, new Error('it gives another result there'))
  }
  return { tryAdapter, source }
}

const unusable = (name: string, error: unknown): Inconclusive =>
  notExercised(
    `k6 has to run shapes.${name} of the definition, without Node and what stands in the environment, and cannot (${reasonOf(error as Error)}): let it depend on nothing but its answer and plain modules`,
  )

/** The bundler states the number of errors before the first one. */
const reasonOf = ({ message }: Error): string | undefined =>
  stripVTControlCharacters(message)
    .split('\n')
    .find(line => line !== '' && !line.startsWith('Build failed'))

/** Values of another realm have other prototypes. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

async function bundle(
  input: string,
  format: 'esm' | 'iife',
  source: DefinitionSource | undefined,
): Promise<string> {
  const build = await rolldown({
    input,
    external: /^k6(\/|$)/,
    platform: 'neutral',
    logLevel: 'silent',
    resolve: { mainFields: ['module', 'main'] },
    // Imports that only launch a deployment are not needed.
    treeshake: { moduleSideEffects: false },
    transform: { target: 'es2022', ...(source !== undefined && { inject: GLOBALS }) },
    plugins: source === undefined ? [] : [definitionFor(fileURLToPath(source.definition))],
  })
  try {
    const { output } = await build.generate({
      format,
      name: 'bundled',
      codeSplitting: false,
      comments: false,
    })
    return (source?.secrets ?? []).reduce(without, output[0].code)
  } finally {
    await build.close()
  }
}

/** Removes a credential that occurs as text in a definition; a short one only as a whole string. */
const without = (code: string, secret: string): string =>
  secret.length < 8
    ? ['"', "'", '`'].reduce((text, quote) => text.replaceAll(quote + secret + quote, '""'), code)
    : code.replaceAll(secret, '')

/** A stand-in for Node's modules: it can be called, constructed and read, and always returns itself. */
const NOTHING = `const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
  apply: () => nothing,
  construct: () => nothing,
})`
const NOTHINGS = 'tss:nothing'

/** Node's globals that k6 lacks. */
const GLOBALS = Object.fromEntries(
  ['process', 'Buffer', 'URL', 'fetch'].map((name): [string, [string, string]] => [
    name,
    [NOTHINGS, 'nothing'],
  ]),
)

/** The suffix of ids of empty modules. */
const EMPTY = '?nothing'

/** Replaces the kit's adapters by those of a definition. */
function definitionFor(path: string): Plugin {
  return {
    name: 'definition',
    async resolveId(id, importer) {
      if (id === NOTHINGS) return id
      if (isBuiltin(id)) return `node:${id.replace(/^node:/, '')}${EMPTY}`
      if (importer === undefined || (isOfKit(importer) && importer !== path)) return null
      const found = id === 'travel-sales-conformance' ? { id: PACKAGE } : await this.resolve(id, importer)
      if (found === null || !isOfKit(found.id) || FOR_ADAPTERS.includes(found.id)) return found
      return found.id + EMPTY
    },
    async load(id) {
      if (id === OWN_SHAPES) {
        return `import stated from ${JSON.stringify(path)}
const definition = typeof stated === 'function' ? stated({}) : stated
export const ownShapes = definition.shapes ?? {}`
      }
      if (id === NOTHINGS) return `export ${NOTHING}`
      return id.endsWith(EMPTY) ? emptyModule(id.slice(0, -EMPTY.length)) : null
    },
    // A definition may import another one.
    transform: (code, id) => (id === path || isOwn(id) ? { code: withoutSecrets(code) } : null),
  }
}

/** The second deployment is an example and counts as somebody else's. */
const SECOND = `${KIT}fixtures${sep}second${sep}`

const isOfKit = (id: string): boolean =>
  !id.startsWith(SECOND) && ['fixtures', 'load'].some(folder => id.startsWith(`${KIT}${folder}${sep}`))

/** Returns whether a module belongs neither to the kit nor to a package. */
const isOwn = (id: string): boolean =>
  !isOfKit(id) && !id.includes(`${sep}node_modules${sep}`) && /\.[cm]?[jt]s$/.test(id)

/** Returns an empty module with the same exports. */
async function emptyModule(id: string): Promise<string> {
  const names = Object.keys(await import(id.startsWith('node:') ? id : pathToFileURL(id).href))
  const named = names
    .filter(name => name !== 'default' && name !== 'defineDeployment' && /^[A-Za-z_$][\w$]*$/.test(name))
    .map(name => `nothing as ${name}`)
  return `${NOTHING}
export const defineDeployment = definition => definition
export { ${[...named, 'nothing as default'].join(', ')} }`
}

/** Parts of a definition that adapters do not need, and that contain credentials or need Node. */
const NOT_FOR_K6 = new Set(['credentials', 'control', 'load'])

interface Node {
  type: string
  start: number
  end: number
  key?: { name?: string; value?: unknown }
  properties?: Node[]
}

/** Empties these parts wherever they are next to `shapes`. */
function withoutSecrets(code: string): string {
  const cuts: { start: number; end: number; name: string }[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, properties = [] } = node as Node
    const nameOf = ({ key }: Node) => String(key?.name ?? key?.value)
    if (type === 'ObjectExpression' && properties.some(one => nameOf(one) === 'shapes')) {
      for (const one of properties) {
        const name = nameOf(one)
        if (NOT_FOR_K6.has(name)) cuts.push({ start: one.start, end: one.end, name })
      }
    }
    for (const inner of Object.values(node)) look(inner)
  }
  look(parseAst(code, { lang: 'ts' }))
  return cuts
    .sort((one, other) => other.start - one.start)
    .reduce((text, { start, end, name }) => `${text.slice(0, start)}${name}: {}${text.slice(end)}`, code)
}
