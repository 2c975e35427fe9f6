import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { Inconclusive } from '../../fixtures/check/evidence/assume.ts'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { loadDeployment } from '../../fixtures/deployments/loading/load.ts'
import { adaptersForK6, bundleScenario, sourceForK6 } from './bundle.ts'

const kit = (path: string) => JSON.stringify(new URL(`../../fixtures/${path}`, import.meta.url).pathname)

/** Loads a definition from these files, the last of which is the definition itself. */
async function defined(...files: [name: string, text: string][]) {
  const folder = temporaryFolder()
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  const definition = pathToFileURL(join(folder, files.at(-1)![0])).href
  const deployment = await loadDeployment(definition, {
    baseUrl: 'http://127.0.0.1:9',
    controlUrl: 'http://c',
  })
  return { deployment, source: sourceForK6(deployment, definition) }
}

const stating = (hotels: string, rest = ''): string => `
  import { defineDeployment } from ${kit('deployments/definition/define.ts')}
  ${rest}
  export default defineDeployment({
    name: 'é😀 staging', baseUrl: 'http://127.0.0.1:9', products: ['v2-hotels'],
    shapes: { hotels: { ${hotels} } },
    credentials: { standard: { token: 'of-standard-only' }, otherCompany: { token: SECRET } },
    control: { async counters() { return readFileSync(SECRET) } },
  })`
const SECRET = `import { readFileSync } from 'node:fs'
  const SECRET = process.env.NOT_THERE ?? 'in-the-text-of-the-file'`

const ANSWER = { search_id: 'kit', own: { id: 'own' } }

const tried = async ({ deployment, source }: Awaited<ReturnType<typeof defined>>) => {
  const { tryAdapter } = await adaptersForK6(source)
  tryAdapter('hotels.searchId', deployment.shapes.hotels.searchId, ANSWER)
}

test('the adapters of the kit need no bundle of their own', async () => {
  const { deployment, source } = await defined(['own.ts', stating('', SECRET)])
  expect(source).toBeUndefined()
  await tried({ deployment, source })
})

// The second deployment, with packages that k6 cannot load, and a definition based on it.
test.each(['deployment', 'without-control'])(
  'imports that only launch a deployment are left out: %s',
  async name => {
    const definition = new URL(`../../fixtures/second/${name}.ts`, import.meta.url).href
    const { source } = await adaptersForK6({ definition, secrets: [] })
    expect(source).toBeDefined()
  },
)

test('an adapter reaches k6 with all that it uses, and no credential does', async () => {
  const found = await defined(
    ['names.ts', `export const field: string = 'own-field'`],
    [
      'reading.ts',
      `import { hotelsOf } from ${kit('deployments/definition/open-shapes.ts')}
       import { field } from './names.ts'
       export const idOf = answer => answer.own.id + field.slice(3, 3) + hotelsOf({}).length`,
    ],
    ['own.ts', stating('searchId: idOf', `import { idOf } from './reading.ts'\n${SECRET}`)],
  )
  await tried(found)
  const script = await bundleScenario('search-polling', found.source)
  expect(script).toContain('own-field')
  expect(script).not.toMatch(/of-standard-only|in-the-text|node:fs/)
})

test('an adapter in TypeScript that has to be compiled reaches k6', async () => {
  const found = await defined(
    ['tsconfig.json', `{ "compilerOptions": { "paths": { "@own/*": ["./*"] } } }`],
    ['names.ts', `export enum Field { Id = 'own' }`],
    [
      'reading.ts',
      `import { Field } from './names.js'\nexport const idOf = (answer: any) => answer[Field.Id].id`,
    ],
    ['own.ts', stating('searchId: idOf', `import { idOf } from '@own/reading'\n${SECRET}`)],
  )
  await tried(found)
  expect(await bundleScenario('search-polling', found.source)).not.toMatch(/of-standard-only|in-the-text/)
})

test('a credential that an adapter needs itself is left out, and the adapter refused', async () => {
  const found = await defined(['own.ts', stating('searchId: answer => SECRET + answer.own.id', SECRET)])
  expect(await bundleScenario('search-polling', found.source)).not.toContain('in-the-text')
  await expect(tried(found)).rejects.toThrow(/shapes\.hotels\.searchId .* another result/)
})

test.each([
  [
    'beside the embedded deployment',
    `import embedded from ${kit('deployments/embedded.ts')}`,
    '...embedded(addresses)',
  ],
  [
    'beside a control of the kit',
    `import { httpControl } from ${kit('deployments/control/http-control.ts')}`,
    'control: httpControl("http://c")',
  ],
])('a definition may be a function that needs Node, %s', async (_, imported, part) => {
  await tried(
    await defined([
      'own.ts',
      `${imported}
       export default addresses => ({ name: 'n', baseUrl: 'http://127.0.0.1:9', credentials: { standard: { token: 'x' } },
         ${part}, products: ['v2-hotels'], shapes: { hotels: { searchId: ({ own }) => own?.id } } })`,
    ]),
  )
})

test.each([
  ['Node', 'process.version + answer.own.id', 'another result'],
  ['the environment', '(process.env.PATH ?? "").length + answer.own.id', 'another result'],
])('an adapter that needs %s is refused in a sentence', async (_, id, why) => {
  const found = await defined(['own.ts', stating(`searchId: answer => ${id}`, SECRET)])
  await expect(tried(found)).rejects.toThrow(
    new RegExp(`shapes\\.hotels\\.searchId of the definition.*${why}`),
  )
})

test('a definition that cannot be evaluated without Node is refused in a sentence', async () => {
  const reading = `const text = JSON.parse(readFileSync(import.meta.filename.replace('own.ts', 'data.json'), 'utf8'))`
  const found = await defined(
    ['data.json', '{ "id": "own" }'],
    ['own.ts', stating('searchId: answer => text.id', `${SECRET}\n${reading}`)],
  )
  await expect(tried(found)).rejects.toThrow(/shapes\.hotels\.searchId of the definition, without Node/)
})

test('scenarios without adapters work with a definition that parses the environment on import', async () => {
  const parsing = `const { hotel } = JSON.parse(process.env.TSS_OF_A_TEST)`
  process.env.TSS_OF_A_TEST = '{"hotel":7}'
  onTestFinished(() => void delete process.env.TSS_OF_A_TEST)
  const { deployment, source: stated } = await defined([
    'own.ts',
    stating('searchId: answer => answer.own.id + hotel', `${SECRET}\n${parsing}`),
  ])
  const { tryAdapter, source } = await adaptersForK6(stated)
  expect(() => tryAdapter('hotels.searchId', deployment.shapes.hotels.searchId, ANSWER)).toThrow(Inconclusive)
  tryAdapter('tickets.offers', deployment.shapes.tickets.offers, {})
  // k6 exits with 107 if a script cannot be imported.
  expect(await bundleScenario('search-polling', source)).not.toContain('TSS_OF_A_TEST')
})
