import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../program.ts'
import { startAltered } from '../testing/altered-deployment.ts'
import { everythingIn, onlyRun } from '../testing/booked.ts'
import { folderWith, freshFolder, runTss, startTss } from '../testing/command.ts'

test('a run has its settings from the file that is named, and its credentials from mounted files', async () => {
  const deployment = await startAltered()
  const [one, other] = [await deployment.company(['v2-transfers']), await deployment.company([])]
  const [cwd, elsewhere] = [freshFolder(), freshFolder()]
  writeFileSync(join(cwd, '.env'), 'TSS_BASE_URL=http://127.0.0.1:9\n')
  writeFileSync(join(elsewhere, 'token'), `${one.token}\n`)
  writeFileSync(join(elsewhere, 'other'), other.token)
  const settings = {
    TSS_BASE_URL: deployment.baseUrl,
    TSS_PRODUCTS: 'v2-transfers',
    TSS_TOKEN_FILE: join(elsewhere, 'token'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(elsewhere, 'ci.env'), lines.join(''))
  const args = ['certify', '--only', 'TENANCY-V2-SAME-ANSWER']
  const env = { TSS_ENV_FILE: join(elsewhere, 'ci.env'), TSS_TOKEN_OTHER_FILE: join(elsewhere, 'other') }
  const { code, stdout, stderr } = await startTss(args, { cwd, env }).ended
  expect(stderr).toContain(`as TSS_BASE_URL in ${join(elsewhere, 'ci.env')} says`)
  expect(stdout).toMatch(/^CONFORMS/m)
  expect(code).toBe(0)
  for (const { token } of [one, other])
    for (const text of [stdout, stderr, everythingIn(onlyRun(cwd))]) expect(text).not.toContain(token)

  for (const [file, why] of [
    ['missing.env', 'ENOENT'],
    ['/dev/zero', 'it is no regular file'],
  ] as const) {
    const refused = await runTss(['doctor'], { cwd, env: { TSS_ENV_FILE: file } })
    expect(refused.stderr).toMatch(
      new RegExp(`^travel-sales: \\S*${file}: it could not be read: ${why}[^\n]*\n$`),
    )
    expect(refused.code).toBe(2)
  }
})

test.each([['doctor', '--deployment', 'env'], ['certify', '--only', 'TENANCY-V2-SAME-ANSWER'], ['init']])(
  '%s sends no credential of the environment to an address that only a .env in the folder gives',
  async (...args) => {
    const requests: unknown[] = []
    const deployment = await startAltered((request, pass) => {
      requests.push(request)
      return pass()
    })
    const { token } = await deployment.company([])
    const cwd = folderWith({ '.env': `TSS_BASE_URL=${deployment.baseUrl}\n` })
    const { code, stderr } = await runTss(args, { cwd, env: { TSS_TOKEN: token } })
    expect(stderr).toMatch(
      /^travel-sales: \.env: it alone says to whom TSS_TOKEN of the environment would be sent: confirm [^\n]+\n$/,
    )
    expect(code).toBe(2)
    expect(requests).toEqual([])
  },
)

/** The options of every command, without values. */
const OPTIONS = new Set(
  [program, ...program.commands].flatMap(({ options }) =>
    options.flatMap(({ long, short }) => [long, short]),
  ),
)

test('no option of a command is one that Node acts on behind the name of a script', () => {
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { encoding: 'utf8', cwd: freshFolder() })
  const ofNode = new Set([
    ...process.allowedNodeEnvironmentFlags,
    ...node('--help').stdout.match(/(?<![\w-])--?[a-z][\w-]*/g)!,
  ])
  // Node reads these before the name of a script alone.
  expect([...ofNode].filter(option => OPTIONS.has(option)).sort()).toEqual(['--run', '--version'])
  const args = [...OPTIONS].flatMap(option => (option === undefined ? [] : [option, `${option}=missing`]))
  const file = join(freshFolder(), 'arguments.mjs')
  writeFileSync(file, 'console.log(JSON.stringify(process.argv.slice(2)))')
  const { status, stdout } = node(file, ...args)
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual(args)
})

test.each([
  ['--env-file=settings', 0],
  // The first Node reads this one whatever stands before it.
  ['--experimental-config-file=settings.json', 1],
] as const)('no Node that the command starts runs what a file of %s says', async (option, atMost) => {
  const cwd = freshFolder()
  const code = join(cwd, 'code.cjs')
  writeFileSync(code, `require('node:fs').appendFileSync(${JSON.stringify(join(cwd, 'ran'))}, '.')`)
  writeFileSync(join(cwd, 'settings'), `NODE_OPTIONS=--require=${code}\n`)
  writeFileSync(join(cwd, 'settings.json'), JSON.stringify({ nodeOptions: { require: code } }))
  writeFileSync(join(cwd, 'ran'), '')
  // A Node that cannot run the sources hands over to the project's own.
  const execArgv = ['--no-experimental-strip-types', '--']
  const { code: ended, stderr } = await startTss(['doctor', option], { cwd, execArgv }).ended
  expect(readFileSync(join(cwd, 'ran'), 'utf8').length).toBeLessThanOrEqual(atMost)
  expect(stderr).toMatch(/^travel-sales: [^\n]+ is an option of Node itself, .* in TSS_ENV_FILE\.\n$/)
  expect(ended).toBe(2)
})
