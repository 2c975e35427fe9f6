import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { recordSchema } from '../../fixtures/ground/record.ts'
import { steadyNow } from '../../fixtures/ground/time.ts'
import { root } from '../../fixtures/run/kit.ts'
import { wholeNumber } from './arguments.ts'

const options = new Command('npm run bench --')
  .description('Prints what a certification costs, by phase. Asserts nothing.')
  .option('--runs <n>', 'how often it is run', wholeNumber(1), 5)
  .parse()
  .opts<{ runs: number }>()

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const line = (what: string, figure: string) => console.log(`${what.padEnd(58)} ${figure}`)

const folder = mkdtempSync(join(tmpdir(), 'tss-bench-'))

/** Certifies the embedded deployment in a process of its own; returns its wall time and its record. */
function certify() {
  const started = steadyNow()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'suites/cli/tss.js'), 'certify', '--deployment', 'embedded', '--json', '--out', folder],
    { encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 28 },
  )
  const wall = steadyNow() - started
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
    .map(text => JSON.parse(text) as { startedAt?: string; milliseconds: number })
    .filter(line => line.startedAt !== undefined)
  const starts = spans.map(({ startedAt }) => Date.parse(startedAt!))
  const first = Math.min(...starts)
  const last = Math.max(...spans.map(({ milliseconds }, at) => starts[at]! + milliseconds))
  return { first, last }
}

try {
  const full = Array.from({ length: options.runs }, certify)
  const requests = full.map(({ record }) => record.requests.v1 + record.requests.v2)
  const spans = full.map(({ run, started, wall }) => ({ ...wireOf(run), started, ended: started + wall }))
  line('full certification of the embedded deployment: requests', `${median(requests)}`)
  line('start to verdict, median', seconds(median(full.map(({ wall }) => wall))))
  line('  start to first request', seconds(median(spans.map(({ started, first }) => first - started))))
  line('  first request to last answer', seconds(median(spans.map(({ first, last }) => last - first))))
  line('  last answer to end', seconds(median(spans.map(({ last, ended }) => ended - last))))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
