import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listening } from '../../fixtures/client/testing/until.ts'
import { recordIn } from './testing/booked.ts'
import { type Ended, folderWith, freshFolder, runShell, runTss, startTss } from './testing/command.ts'

/** Expects a refusal in one sentence: nothing on stdout, one line on stderr (and what is tested), no stack trace. */
function expectSentence({ stdout, ...said }: Ended, words: string | RegExp): void {
  const stderr = said.stderr.replace(/^Deployment: .*\n/, '')
  expect(stderr).toMatch(words)
  expect(
    stderr
      .trimEnd()
      .replace(/\n\(Did you mean .*\)$/, '')
      .split('\n'),
  ).toHaveLength(1)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stdout).toBe('')
}

/** Serves on a free port until the test ends, and counts the requests. */
async function serve(listener: RequestListener): Promise<{ address: string; asked: () => number }> {
  let asked = 0
  const { origin } = await listening((request, response) => {
    asked++
    listener(request, response)
  })
  return { address: origin, asked: () => asked }
}

const TOKEN = 'tok-7f3c9a-secret'

const environment = (baseUrl: string) => ({
  TSS_BASE_URL: baseUrl,
  TSS_TOKEN: TOKEN,
  TSS_PRODUCTS: 'v2-transfers',
})

test('a working directory that was removed is reported in one sentence', async () => {
  const ended = await runShell('mkdir gone && cd gone && rmdir ../gone && travel-sales doctor')
  expectSentence(ended, /^travel-sales: The folder in which this was started is gone/)
})

test.each(['bun', 'deno'])(
  '%s, which states a version of Node as well, is told that Node itself is needed',
  async name => {
    const versions = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,${name}:"1"}})`
    const ended = await startTss(['doctor'], { execArgv: ['--import', versions] }).ended
    expectSentence(
      ended,
      new RegExp(`^travel-sales: This is ${name} 1, and the kit needs Node itself: install Node`),
    )
    expect(ended.code).toBe(2)
  },
)

test('a control.mint without a token is the fault of the definition: one sentence, and nothing is sent', async () => {
  const cwd = freshFolder()
  const { address, asked } = await serve((_, response) => response.writeHead(200).end('[]'))
  writeFileSync(
    join(cwd, 'minting.mjs'),
    `export default { name: 'x', baseUrl: '${address}', products: ['v2-transfers'],
       control: { mint: async () => ({ tenant: 'a', access_token: '${TOKEN}' }) } }`,
  )
  for (const command of ['certify', 'doctor', 'load']) {
    const ended = await runTss([command, '--deployment', 'minting.mjs'], { cwd })
    expectSentence(ended, /minting\.mjs: control\.mint returned no token\n/)
    expect(ended.stderr).not.toContain(TOKEN)
    expect(ended.code, command).toBe(2)
  }
  expect(asked()).toBe(0)
})

test.each([
  [['serve', '--control-port', '0', '--port'], /EADDRINUSE.*--port and --control-port/],
  [['ui', '--no-open', '--port'], /^travel-sales: Port \d+ cannot be listened on \(EADDRINUSE\): /],
  [['watch', '--upstream', 'http://127.0.0.1:9', '--port'], /Port \d+ cannot be listened on \(EADDRINUSE\)/],
])('a port that is taken: %j', async (args, words) => {
  const { port } = await listening()
  const ended = await runTss([...args, port])
  expectSentence(ended, words)
  expect(ended.code).toBe(3)
})

const HERE = ['--base-url', 'http://127.0.0.1:9']
const STAGING = ['certify', '--deployment', './staging.ts']

const HAS_TOKEN = { env: { TSS_TOKEN: TOKEN } }

interface Around {
  env?: Record<string, string>
  files?: Record<string, string>
}

describe('a wrong call ends with 2 and sends nothing', () => {
  test.each<[string[], RegExp, Around?]>([
    [['certify', '--bogus'], /unknown option '--bogus'/],
    [['certifi'], /unknown command 'certifi'/],
    [['certify', '--seed', 'x'], /option '--seed <n>' argument 'x' is invalid\. Write a whole number/],
    [['certify', '--max-duration', '10'], /Write it like 90s, 10m or 1h\./],
    [['certify', '--require-coverage', '95'], /Write a number from 0 to 1/],
    [['certify', '--only', 'V2-NONSENSE'], /there is no clause or area V2-NONSENSE; the nearest are/],
    [['examine', '--products', 'v2-transfers'], /with --exec, or examine it by hand with .* ui/],
    [
      ['examine', '--exec', 'true', '--situation', 'order-lots'],
      /no situation order-lots; the nearest are order-lost/,
    ],
    [['explain', 'V2-IDEM-REPLAY-STATUS', '--run', 'missing'], /There is no record to read in .*missing/],
    [['cleanup', 'missing'], /There is no folder missing that can be read/],
    ...[[], ['--acknowledge', 'all', '--because', 'x']].map((more): [string[], RegExp] => [
      ['cleanup', '.', ...more],
      /There is no record to read in .* \(it is not the folder of a run/,
    ]),
    [['report'], /There is no run under reports\/out yet/],
    [['ui', '--no-open', '--runs', './nowhere'], /There is no folder \.\/nowhere that can be read: /],
    [['certify', '--waivers', 'missing.yaml'], /could not be read \(ENOENT\)/],
    [['certify', '--failed', 'missing'], /There is no record to read in .*missing/],
    [['certify', '--failed', 'x', '--only', 'METHOD-V2-ALLOW'], /give one of them/],
    [['merge', 'runs'], /^travel-sales: merge is gone: /],
    [['init', '--ci', 'jenkins'], /'jenkins' is invalid.*Allowed choices are github, gitlab, container/],
    [['init', '--base-url', 'staging'], /is no address/, HAS_TOKEN],
    [['init', ...HERE], /set TSS_TOKEN in the environment or in \.env/],
    [['init', ...HERE, '--products', 'v3-cars'], /names v3-cars, which is no product/, HAS_TOKEN],
    [['init', '--file', 'deployment.json'], /is not TypeScript, which the kit runs by itself/],
    [['init', '--file', 'not/there.ts'], /No definition can be written into .*not \(ENOENT\)/],
    [
      STAGING,
      /^travel-sales: Deployment \.\/staging\.ts: there is no file .*staging\.ts that can be read; give a path/,
    ],
    [
      STAGING,
      /staging\.ts: it could not be imported: Error: the vault is locked/,
      { files: { 'staging.ts': `throw new Error('the vault is locked')\nexport default {}` } },
    ],
    [
      STAGING,
      /3 problems: .*baseUrl must stop.*credentials\.standard\.token is empty.*products\[0\]/,
      {
        files: {
          'staging.ts': `export default { name: 'x', baseUrl: 'http://127.0.0.1:9/api/v2', products: ['v2-boats'],
            credentials: { standard: { token: '' } } }`,
        },
      },
    ],
    [
      ['certify'],
      /TSS_PER_MINUTE must be a number.*TSS_TOKEN is missing/,
      { env: { TSS_BASE_URL: 'http://localhost', TSS_PER_MINUTE: 'many' } },
    ],
    // One rule for every command that may test the embedded deployment.
    ...[['certify'], ['doctor'], ['doctor', '--try'], ['load'], ['ui', '--no-open']].map(
      (args): [string[], RegExp, Around] => [
        args,
        /TSS_TOKEN has no TSS_BASE_URL, so nothing says which deployment is meant/,
        HAS_TOKEN,
      ],
    ),
  ])('%j', async (args, words, { env = {}, files = {} } = {}) => {
    const cwd = freshFolder()
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    const ended = await runTss(args, { cwd, env })
    expectSentence(ended, words)
    expect(ended.code).toBe(2)
    expect(readdirSync(cwd)).toEqual(Object.keys(files))
  })

  test.each([
    'certify --deployment embedded --out',
    'certify --deployment embedded --waivers',
    'certify --deployment',
    'audit',
    'report',
    'site . --out',
    'ui --no-open --runs',
    'attest --new-key',
  ])('%s a link to itself', async command => {
    const cwd = freshFolder()
    symlinkSync('self', join(cwd, 'self'))
    const ended = await runTss([...command.split(' '), './self'], { cwd })
    expectSentence(ended, /^travel-sales: .*\bself\b/)
    expect([ended.code, readdirSync(cwd)]).toEqual([2, ['self']])
  })

  test('an --out that cannot be written', async () => {
    const cwd = folderWith({ file: '' })
    const { address, asked } = await serve((_, response) => response.end('[]'))
    const ended = await runTss(['certify', '--out', 'file/runs'], { cwd, env: environment(address) })
    expect(ended.code).toBe(2)
    expectSentence(ended, /The folder of the run could not be made in .*file\/runs \(ENOTDIR\)/)
    expect(asked()).toBe(0)
  })
})

describe('a deployment that cannot be judged ends with 3, and the record says why', () => {
  test('nobody listens', async () => {
    const cwd = freshFolder()
    const ended = await runTss(['certify'], { cwd, env: environment('http://127.0.0.1:9') })
    expect(ended.code).toBe(3)
    expectSentence(
      ended,
      /^travel-sales: http:\/\/127\.0\.0\.1:9 could not be reached: the connection was refused/,
    )
    expect(recordIn(cwd)).toMatchObject({
      verdict: 'not exercised',
      halted: expect.stringContaining('the connection was refused'),
    })
  })

  test('TLS fails', async () => {
    const cwd = freshFolder()
    const { address } = await serve((_, response) => response.end())
    const ended = await runTss(['certify'], { cwd, env: environment(address.replace('http:', 'https:')) })
    expect(ended.code).toBe(3)
    expectSentence(ended, /could not be reached: it does not speak TLS there/)
    expect(recordIn(cwd).halted).toContain('TLS')
  })

  test('every call is answered with 401', async () => {
    const cwd = freshFolder()
    const { address, asked } = await serve((_, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":{"code":"UNAUTHORIZED"}}'),
    )
    const ended = await runTss(['certify', '--json'], { cwd, env: environment(address) })
    expect(ended.code).toBe(3)
    expect(JSON.parse(ended.stdout).halted).toContain('refused the standard credential (401')
    expect(ended.stdout + ended.stderr).not.toContain(TOKEN)
    expect(asked()).toBe(1)
  })

  test('--only asks for clauses that no check cites', async () => {
    const ended = await runTss(['certify', '--deployment', 'embedded', '--only', 'PARTNER-PRICING'])
    expect(ended.code).toBe(3)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toContain('travel-sales: no check cites what --only PARTNER-PRICING asks for')
  })
})
