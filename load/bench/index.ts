/*
 * `npm run bench:load`: what it costs to put load on a deployment and to judge every answer, beside the same journeys in
 * a plain k6 script, and beside autocannon. Prints figures; asserts nothing. All run by turns on one machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findK6 } from '../k6/index.ts'
import { openArena } from './arena.ts'
import { autocannonLooks } from './autocannon.ts'
import {
  atMost,
  atRate,
  costOf,
  isSaturated,
  journeysPerSecond,
  printTable,
  requestsPerSecond,
  spread,
} from './figures.ts'
import { CLIENTS, type Contestant, type Heat, type Pace, runHeat } from './heat.ts'
import { wholeLoad } from './judging.ts'
import { ours } from './ours.ts'
import { plainK6 } from './plain-k6.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    /** Journeys a second, and for how many seconds. */
    rate: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '6' },
    /** Seconds of load without a rate. */
    ceiling: { type: 'string', default: '4' },
    /** Half way through the load at a rate, every answer of a second is a second late. */
    stall: { type: 'boolean', default: false },
  },
})
const runs = Number(options.runs)
const rate = Number(options.rate)
const seconds = Number(options.seconds)
const ceiling = Number(options.ceiling)

const line = (what: string, figure: string) => console.log(`${what.padEnd(62)} ${figure}`)

const folder = mkdtempSync(join(tmpdir(), 'tss-bench-load-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(130))

const k6 = await findK6({ onProgress: text => console.error(text) })
const { version: autocannonVersion } = JSON.parse(
  readFileSync(new URL('../../node_modules/autocannon/package.json', import.meta.url), 'utf8'),
)
line('k6, autocannon, Node', `${k6.version}, ${autocannonVersion}, ${process.version}`)
line('machine', `${process.platform} ${process.arch}, ${cpus().length} cores`)
line('its load before anything was started (1 minute)', loadavg()[0]!.toFixed(1))

const whole = await wholeLoad(k6.path, { rate, seconds }, join(folder, 'whole'))
const { sent, counted, judged } = whole.requests
line('tss load as a whole: requests sent, counted, judged', `${sent}, ${counted}, ${judged}`)
line('tss load: from the end of load to the end of judging', `${whole.judging.toFixed(2)} s`)

const { shapes, products, settings } = whole.plan
const goods = { shapes, products, settings }
const requestsPerJourney = whole.requests.sent / whole.journeys
const open: Pace = { rate, seconds, requestsPerSecond: rate * requestsPerJourney, stall: options.stall }
const closed: Pace = { clients: CLIENTS, seconds: ceiling }
const contestants: Contestant[] = [ours(k6.path), plainK6(k6.path), autocannonLooks]
const noHeats = (): Map<string, Heat[]> => new Map(contestants.map(({ name }) => [name, []]))
const heats = new Map<Pace, Map<string, Heat[]>>([
  [open, noHeats()],
  [closed, noHeats()],
])

const arena = await openArena()
try {
  for (let round = 0; round < runs; round++) {
    const first = round % contestants.length
    const order = [...contestants.slice(first), ...contestants.slice(0, first)]
    line(`round ${round + 1} of ${runs}, in this order`, order.map(({ name }) => name).join(', '))
    for (const [pace, results] of heats) {
      for (const contestant of order) {
        results.get(contestant.name)!.push(await runHeat(contestant, { arena, folder, goods, pace }))
      }
    }
  }
} finally {
  arena.close()
}

const [atARate, asFastAsCanBe] = [heats.get(open)!, heats.get(closed)!]
const stalled = options.stall ? ', one stalled' : ''
printTable(`${rate} journeys/s for ${seconds} s${stalled}`, atARate, atRate(rate * seconds))
printTable(`${CLIENTS} clients without a rate for ${ceiling} s`, asFastAsCanBe, atMost())
console.log(`
Figures are medians of ${runs === 1 ? 'one round' : `${runs} rounds, with the least and the most`}. Our mix is what tss load
has k6 run: every sample and every answer written down, k6's dashboard on, GOGC=200. The plain script
(load/bench/plain.ts) makes the same journeys in the same shares and keeps nothing. autocannon cannot use an answer in
its next request: it sends the reads and availability calls of the mix alone, at as many requests a second as the whole
mix has, and what it reaches is told of these alone.
`)

const saturated = [...atARate.values()].flat().filter(isSaturated).length
line('heats left out of latencies, the deployment being busy', String(saturated))
const [mix, plain] = contestants.map(({ name }) => asFastAsCanBe.get(name)!)
const ratio = (of: (heat: Heat) => number): string =>
  spread(
    mix!.map((heat, round) => of(heat) / of(plain![round]!)),
    2,
  )
line('ceiling, our mix ÷ plain k6, requests/s (aim: 0.9 or more)', ratio(requestsPerSecond))
line(
  'ceiling, our mix ÷ plain k6, journeys/s',
  ratio(heat => journeysPerSecond(heat) ?? 0),
)
line('processor time of 10,000 requests, our mix ÷ plain k6', ratio(costOf))
line('load of the machine now (1 minute)', loadavg()[0]!.toFixed(1))
