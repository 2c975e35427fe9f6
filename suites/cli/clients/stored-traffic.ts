import { light, remember } from '../../../fixtures/checkers/remember.ts'
import { Recorder } from '../../../fixtures/client/recording/index.ts'
import { type Exchange, header } from '../../../fixtures/ground/exchange.ts'
import type { ProductId } from '../../../fixtures/ground/products.ts'
import type { TrafficFact } from '../../../fixtures/recording/facts.ts'
import { Judge } from '../../../fixtures/recording/judge.ts'
import { productsIn, tellingIn } from '../../../fixtures/recording/products-told.ts'
import { storeForeign } from '../../../fixtures/recording/readers/foreign.ts'
import type { Recorded, Recording } from '../../../fixtures/recording/readers/recorded.ts'
import type { RecordedFile } from '../../../fixtures/recording/readers/recorded-file.ts'
import type { RecordedClients } from '../../../fixtures/recording/readers/recording.ts'
import { factIn, isClause, type RecordedChecks } from '../../../fixtures/recording/recorded-checks.ts'
import {
  type ClientExchange,
  type JudgedSituation,
  type Knowledge,
  NOT_KEPT,
} from '../../../fixtures/recording/traffic.ts'
import { foreign } from './examination-record.ts'
import type { Side } from './sides.ts'

/** A recording that can be read again. */
export type ReadableRecording = Recording &
  Pick<RecordedFile, 'read'> & { hasFacts: boolean; passed?: TrafficFact | undefined }

/** What recorded traffic came to. */
export interface SeenTraffic {
  /** What the answers in it showed; nothing if only clients are judged. */
  judged(): JudgedSituation[]
  /** The clauses that were not judged because something is not known of the traffic. */
  lacking: readonly (readonly [Knowledge, readonly string[]])[]
  products: ProductId[]
  requests: { v1: number; v2: number }
  /** How many exchanges nobody judged: those that a run sent for itself, which are no whole history, and those that facts leave out. */
  unjudged: Record<'ofRun' | 'ofOthers', number>
}

/** After so many exchanges, what no request is under way beside any more is judged. */
const BATCH = 500

/**
 * Writes recorded exchanges once more without secrets, so that findings can show them, judges the answers, and gives each
 * client the part that rules about clients need.
 *
 * @throws {NotReadable}
 */
export async function storeAll(
  recordings: readonly ReadableRecording[],
  { place }: RecordedClients,
  {
    dir,
    side,
    oneCompany,
    whole,
    facts,
  }: { dir: string; side: Side; oneCompany: boolean; whole: boolean; facts: RecordedChecks },
): Promise<SeenTraffic> {
  const recorder = new Recorder({ dir, worker: 0, redactor: foreign, keep: false })
  const answers = new Judge({ check: 'audit > answers', isOfOthers: true, isPart: !whole })
  const flush = () => recorder.flush()
  const requests = { v1: 0, v2: 0 }
  const told = new Set<string>()
  const unjudged = { ofRun: 0, ofOthers: 0 }
  for (const recording of recordings) {
    const starts = earliestAfter(recording)
    const claims = recording.passed && new Claims(answers, id => facts.idOf(id))
    answers.begin(claims !== undefined)
    facts.begin()
    let at = 0
    const take = (recorded: Recorded) => {
      const placed = place(recording.outlines[at++], recorded)
      const isLink = answers.isLink(recorded.url)
      const { stored } = recorded
      const isKnown = stored !== undefined && facts.knows(stored)
      if (stored !== undefined && placed !== undefined) facts.see(stored, placed.exchange.id)
      if (placed === undefined || (placed.isAside && !isLink && !isKnown)) return
      if (side !== 'server' && recording.whole !== 'checks' && !placed.isAside) placed.client.add(placed)
      // Calls of other servers are not stored: they only show whether the credential was sent there.
      if (placed.exchange.to === 'elsewhere' && !isLink) return
      const { version } = placed.exchange
      if (version !== null) requests[version]++
      for (const one of tellingIn(placed.exchange, placed.exchange.response?.json)) told.add(one)
      if (recording.hasFacts) {
        if (!isKnown) unjudged[stored === undefined || OF_CHECK.test(stored.check) ? 'ofOthers' : 'ofRun']++
      } else if (side !== 'client' && recording.whole !== 'client')
        answers.take(oneCompany ? ofOneCompany(placed.exchange) : placed.exchange)
      storeForeign(recorder, placed.exchange, placed.client.secret, 'the recording holds no answer')
      claims?.see(placed.exchange)
      if (at % BATCH === 0) answers.settle(starts[at])
    }
    await recording.read(take, flush, fact => {
      facts.take(fact)
      claims?.take(fact)
    })
  }
  await recorder.close()
  answers.settle()
  const judged = () => [answers.judged()].filter(isAny)
  const lacking = [...answers.lacking]
  return { judged, lacking, requests, unjudged, products: productsIn(told) }
}

/** After so many exchanges, what was found out about one has been told. */
const MOST_RECENT = 10_000

/** What a recording says of values that it does not hold. */
class Claims {
  readonly #recent = new Map<string, Exchange>()
  readonly #judge: Judge
  readonly #idOf: (id: string) => string

  constructor(judge: Judge, idOf: (id: string) => string) {
    this.#judge = judge
    this.#idOf = idOf
  }

  see({ response, ...sent }: ClientExchange): void {
    if (response !== undefined) remember(this.#recent, sent.id, light({ ...sent, response }), MOST_RECENT)
  }

  take(json: unknown): void {
    const line = factIn(json)
    if (line?.fact !== 'claim' || !isClause(line.clause)) return
    const exchanges = line.exchanges.flatMap(id => this.#recent.get(this.#idOf(id)) ?? [])
    this.#judge.claim(line.clause, line.violation ?? null, exchanges)
  }
}

/** Matches the id of a check; what a run sends for itself has a plain name. */
const OF_CHECK = / > /

const isAny = ({ report: { requests } }: JudgedSituation): boolean => requests.v1 + requests.v2 > 0

/** Returns when the earliest request of a recording was sent, in epoch milliseconds. */
export const beginOf = ({ outlines }: Recording): number =>
  outlines.reduce((first, { startedAt }) => Math.min(first, startedAt), Number.POSITIVE_INFINITY)

/** Returns for each place in a recording when the earliest request from there on was sent. */
function earliestAfter({ outlines }: Recording): Float64Array {
  const starts = new Float64Array(outlines.length + 1)
  starts[outlines.length] = Number.POSITIVE_INFINITY
  for (let at = outlines.length - 1; at >= 0; at--)
    starts[at] = Math.min(outlines[at]!.startedAt, starts[at + 1]!)
  return starts
}

/** Returns an exchange of the one company that sent all of them, also where the recording does not tell its credential. */
function ofOneCompany(exchange: ClientExchange): ClientExchange {
  const { sender, request, lacks = new Set<Knowledge>() } = exchange
  const isTold = !lacks.has('credential') || header(request.headers, 'authorization') !== null
  const headers = [...request.headers, ['Authorization', `Bearer ${NOT_KEPT}`] as const]
  return {
    ...exchange,
    sender: { role: sender.role, tenant: 'one company' },
    request: isTold ? request : { ...request, headers },
    lacks: new Set([...lacks].filter(what => what !== 'credential')),
  }
}
