import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listening, untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import type { Alter, AlteredDeployment } from '../testing/altered-deployment.ts'
import { attack } from '../testing/attack.ts'
import { freshFolder, startTss } from '../testing/command.ts'

/** The most seconds from a run's deadline to the end of its process, in which checks end and bookings are cancelled. */
const AFTERWARDS = 45
const BUDGET = 600_000
/** The value of --max-duration, in seconds. */
const TIME = 5
/** A few checks are enough for runs that end early; loading all takes longer. */
const ENOUGH = ['--only', 'V2-BOOK-*']

/** The address of a server that accepts connections and never answers. */
const { origin: SILENT } = await listening(() => {}, untilFileEnds())

const silence: Alter = () => undefined

/** Sends a byte now and then, without end. */
const drip: Alter = (_request, _pass, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 200)
  response.on('close', () => clearInterval(timer))
  return undefined
}

const cancels = ({ path }: { path: string }) => path.endsWith('/cancel')

/** Resolves once the deployment has received that many requests of a kind. */
async function received(
  { requests }: AlteredDeployment,
  least: number,
  which: (request: { method: string; path: string }) => boolean = () => true,
): Promise<void> {
  while (requests.filter(which).length < least) await pause(20)
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

interface Case {
  name: string
  /** Default: an honest deployment. */
  alter?: Alter
  args?: readonly string[]
  env?: Record<string, string>
  signal?: NodeJS.Signals
  /** Resolves when the signal is to be sent. */
  moment?: (deployment: AlteredDeployment) => Promise<void>
  /** Whether a booking stays that the cleanup cannot cancel. */
  leaves?: boolean
}

/** Runs attacks at the same time, since they mostly wait. */
const sideBySide = (cases: readonly Case[]) =>
  Promise.all(
    cases.map(async ({ name, alter, args = [], env = {}, signal, moment, leaves = false }) => {
      let endsAt = performance.now()
      const { code, record, stdout, stderr } = await attack(name, alter, {
        args: [...ENOUGH, ...args],
        env,
        async meanwhile(run, deployment) {
          await moment?.(deployment)
          endsAt = performance.now()
          if (signal !== undefined) run.send(signal)
        },
      })
      expect((performance.now() - endsAt) / 1000, name).toBeLessThan(AFTERWARDS + TIME)
      expect(code, name).toBe(signal === undefined ? 3 : 130)
      expect(record?.halted, `${name}\n${stdout}\n${stderr}`).toBe(
        signal === undefined ? 'its time was over (--max-duration)' : 'it was interrupted',
      )
      expect(['incomplete', 'not exercised'], name).toContain(record?.verdict)
      expect(record!.leftovers.length > 0, name).toBe(leaves)
    }),
  )

const limited = ['--max-duration', `${TIME}s`]

test(
  '--max-duration ends a run that gets no answers, with a record and exit code 3',
  { timeout: BUDGET },
  () =>
    sideBySide([
      { name: 'never answers', alter: silence, args: limited },
      { name: 'drips at the probe', alter: drip, args: limited },
      { name: 'control never answers', args: limited, env: { TSS_CONTROL_URL: SILENT } },
    ]),
)

test('what is not answered is cut off, and what may stand is listed', { timeout: BUDGET }, () =>
  sideBySide([
    {
      name: 'drips after the probe',
      alter: (request, pass, response) => (request.number === 1 ? pass() : drip(request, pass, response)),
      signal: 'SIGINT',
      // Checks that need the catalog share one request for it.
      moment: deployment => received(deployment, 2),
    },
    {
      name: 'never answers cancellations',
      alter: (request, pass) => (cancels(request) ? undefined : pass()),
      signal: 'SIGINT',
      moment: deployment => received(deployment, 1, cancels),
      leaves: true,
    },
  ]),
)

// With bookings made: stopping.process.test.ts.
test('Ctrl-C ends a run in any phase, with a record and exit code 130', { timeout: BUDGET }, () =>
  sideBySide([
    { name: 'Ctrl-C at the probe', alter: silence, signal: 'SIGINT', moment: on => received(on, 1) },
    { name: 'SIGTERM', signal: 'SIGTERM', moment: on => received(on, 20) },
    {
      name: 'Ctrl-C while cancelling',
      alter: async (request, pass) => {
        if (cancels(request)) await pause(1500)
        return pass()
      },
      signal: 'SIGINT',
      moment: on => received(on, 2, cancels),
    },
  ]),
)

test(
  'a clock that steps by an hour changes no duration',
  async () => {
    const cwd = freshFolder()
    const code = `const { now } = Date; Date.now = () => now() + (performance.now() > 3e3 ? 3_600_000 : 0)
    globalThis.Date = class extends Date { constructor(...of) { super(...(of.length ? of : [Date.now()])) } }`
    const args = ['certify', '--embedded', '--only', 'METHOD-*', '--max-duration', '10m']
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
    const ended = await startTss(args, { cwd, env }).ended
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    const [, dir] = /^Reports: (\S+)/m.exec(ended.stdout)!
    const [, took] = /<testsuites .*time="([^"]*)"/.exec(readFileSync(join(cwd, dir!, 'junit.xml'), 'utf8'))!
    expect(Number(took)).toBeGreaterThan(3)
    expect(Number(took)).toBeLessThan(600)
  },
  BUDGET,
)

test('a definition that never ends loading is not waited for', { timeout: BUDGET }, async () => {
  const cwd = freshFolder()
  const hangs = 'setInterval(() => {}, 1e3)\nexport default () => new Promise(() => {})\n'
  writeFileSync(join(cwd, 'hangs.mjs'), hangs)
  const started = performance.now()
  const ended = await startTss(['certify', '--deployment', './hangs.mjs', '--max-duration', '1s'], { cwd })
    .ended
  expect(ended.stderr).toContain('Nothing was sent')
  expect(ended.code).toBe(3)
  expect((performance.now() - started) / 1000).toBeLessThan(AFTERWARDS)
})
