import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { aboveZero, script } from '../../fixtures/output/script.ts'
import { recordSchema } from '../../fixtures/record.ts'
import { launchReference } from '../../fixtures/reference/thread.ts'
import { root } from '../../fixtures/run/kit.ts'

const options = script('bench', 'Prints what a certification costs, by the clock. Asserts nothing.')
  .option('--runs <n>', 'how often each is run', aboveZero, 5)
  .option('--paced', 'also the run at the documented pace, which takes a minute or two of real time')
  .parse()
  .opts<{ runs: number; paced?: true }>()

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const line = (what: string, figure: string) => console.log(`${what.padEnd(58)} ${figure}`)

const folder = mkdtempSync(join(tmpdir(), 'tss-bench-'))

/** Runs `travel-sales certify` in its own process; returns its wall time and its record. */
function certify(environment: NodeJS.ProcessEnv, ...flags: string[]) {
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'suites/cli/tss.js'), 'certify', '--json', '--out', folder, ...flags],
    { env: { ...process.env, ...environment }, encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 28 },
  )
  const wall = Date.now() - started
  if (status !== 0) throw new Error(`certify ended with ${status}: ${stderr.slice(-2000)}`)
  const { run } = JSON.parse(stdout) as { run: string }
  const record = recordSchema.parse(JSON.parse(readFileSync(join(folder, run, 'record.json'), 'utf8')))
  return { started, wall, record, run }
}

/** Returns when the first request was sent and the last answer arrived, in epoch milliseconds. */
function wireOf(run: string) {
  const spans = readFileSync(join(folder, run, 'exchanges.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text) as { startedAt: string; milliseconds: number })
    .map(
      ({ startedAt, milliseconds }) => [Date.parse(startedAt), Date.parse(startedAt) + milliseconds] as const,
    )
  const first = Math.min(...spans.map(([from]) => from))
  const last = Math.max(...spans.map(([, to]) => to))
  return { first, last }
}

/** Runs at the documented pace on one credential without control, as a partner would. */
async function runPaced(): Promise<void> {
  const reference = await launchReference()
  const control = httpControl(reference.controlUrl)
  const { token } = await control.mint!({})
  const perMinute = 480
  const { wall, record } = certify(
    {
      TSS_BASE_URL: reference.baseUrl,
      TSS_TOKEN: token,
      TSS_PER_MINUTE: String(perMinute),
      TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
    },
    '--deployment',
    'env',
  )
  await reference.stop()
  // Each version has its own limit.
  const { v1, v2 } = record.requests
  const bound = (Math.max(v1, v2) / perMinute) * 60_000
  line('paced, one credential, no control: requests on v1 and v2', `${v1} and ${v2}`)
  line('paced: requests ÷ limit', seconds(bound))
  line('paced: start to verdict', seconds(wall))
  line('paced: time ÷ bound (aim: 1.1 or less)', (wall / bound).toFixed(2))
}

try {
  const full = Array.from({ length: options.runs }, () => certify({}, '--deployment', 'embedded'))
  const spans = full.map(({ run, started, wall }) => ({ ...wireOf(run), started, ended: started + wall }))
  const requests = full.map(({ record }) => record.requests.v1 + record.requests.v2)
  line('full certification of the embedded deployment: requests', `${median(requests)}`)
  line('start to verdict, median (aim: under 5 s)', seconds(median(full.map(({ wall }) => wall))))
  line('  start to first request', seconds(median(spans.map(({ started, first }) => first - started))))
  line('  first request to last answer', seconds(median(spans.map(({ first, last }) => last - first))))
  line('  last answer to end', seconds(median(spans.map(({ last, ended }) => ended - last))))
  if (options.paced) await runPaced()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
