import { readText } from '../../fixtures/client/body.ts'
import { Recorder } from '../../fixtures/client/recorder.ts'
import { createRedactor } from '../../fixtures/client/redact.ts'
import type { JudgedSituation } from '../../fixtures/examine/judge.ts'
import { forForeign } from '../../fixtures/examine/recording/foreign.ts'
import type { Recording } from '../../fixtures/examine/recording/recorded.ts'
import type { RecordedFile } from '../../fixtures/examine/recording/recorded-file.ts'
import {
  NOT_KEPT,
  NOT_RECORDED,
  type Placed,
  type RecordedClients,
} from '../../fixtures/examine/recording/recording.ts'
import type { Knowledge } from '../../fixtures/examine/traffic.ts'
import { header } from '../../fixtures/exchange.ts'
import { known } from '../../fixtures/secrets/known.ts'
import type { ProductId } from '../../fixtures/service/products.ts'
import { Answers } from '../../fixtures/traffic/answers.ts'
import type { Side } from './sides.ts'
import { productsAt } from './traffic-record.ts'

/** A recording that can be read again. */
export type ReadableRecording = Recording & Pick<RecordedFile, 'read'>

/** What recorded traffic came to. */
export interface SeenTraffic {
  /** What the answers in it showed; nothing if only clients are judged. */
  judged(): JudgedSituation[]
  /** The clauses that were not judged because something is not known of the traffic. */
  lacking: readonly (readonly [Knowledge, readonly string[]])[]
  products: ProductId[]
  requests: { v1: number; v2: number }
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
  { dir, side, oneCompany }: { dir: string; side: Side; oneCompany: boolean },
): Promise<SeenTraffic> {
  const redactor = forForeign(createRedactor([], known))
  const recorder = new Recorder({ dir, worker: 0, redactor, keep: false })
  // What a run of the kit sent is known from its beginning, and nobody else acts on what it booked.
  const whole = new Answers({ check: 'audit > answers to the kit', isPart: false })
  const foreign = new Answers({ check: 'audit > answers' })
  const flush = () => recorder.flush()
  const requests = { v1: 0, v2: 0 }
  const paths = new Set<string>()
  for (const [number, recording] of recordings.entries()) {
    const starts = earliestAfter(recordings, number)
    let at = 0
    await recording.read(recorded => {
      const placed = place(recording.outlines[at++], recorded)
      if (placed === undefined) return
      if (side !== 'server' && recording.whole !== 'checks') placed.client.add(placed)
      // Calls of other servers are not stored: they only show whether the credential was sent there.
      if (placed.exchange.to === 'elsewhere') return
      const { version, request } = placed.exchange
      if (version !== null) requests[version]++
      paths.add(/^\/api\/v\d\/\w+\//.exec(request.path)?.[0] ?? '')
      if (side !== 'client' && recording.whole !== 'client')
        judge(recording.whole === undefined ? foreign : whole, oneCompany ? ofOneCompany(placed) : placed)
      store(recorder, placed)
      if (at % BATCH === 0) for (const answers of [whole, foreign]) answers.settle(starts[at])
    }, flush)
  }
  await recorder.close()
  for (const answers of [whole, foreign]) answers.settle()
  const judged = () => [whole, foreign].map(one => one.judged()).filter(one => isAny(one))
  const lacking = [whole, foreign].flatMap(one => [...one.lacking])
  return { judged, lacking, requests, products: productsAt(paths) }
}

const isAny = ({ report: { requests } }: JudgedSituation): boolean => requests.v1 + requests.v2 > 0

/** Returns when the earliest request of a recording was sent, in epoch milliseconds. */
export const beginOf = ({ outlines }: Recording): number =>
  outlines.reduce((first, { startedAt }) => Math.min(first, startedAt), Number.POSITIVE_INFINITY)

/** Returns for each place in a recording when the earliest request from there on was sent, in it and all later ones. */
function earliestAfter(recordings: readonly Recording[], number: number): Float64Array {
  const { outlines } = recordings[number]!
  const later = recordings.slice(number + 1).map(beginOf)
  const starts = new Float64Array(outlines.length + 1)
  starts[outlines.length] = Math.min(Number.POSITIVE_INFINITY, ...later)
  for (let at = outlines.length - 1; at >= 0; at--)
    starts[at] = Math.min(outlines[at]!.startedAt, starts[at + 1]!)
  return starts
}

/** Returns an exchange of the one company that sent all of them, also where the recording does not tell its credential. */
function ofOneCompany(placed: Placed): Placed {
  const { sender, request, lacks = new Set<Knowledge>() } = placed.exchange
  const isTold = !lacks.has('credential') || header(request.headers, 'authorization') !== null
  return {
    ...placed,
    exchange: {
      ...placed.exchange,
      sender: { role: sender.role, tenant: 'one company' },
      request: isTold
        ? request
        : { ...request, headers: [...request.headers, ['Authorization', `Bearer ${NOT_KEPT}`]] },
      lacks: new Set([...lacks].filter(what => what !== 'credential')),
    },
  }
}

/** Gives the judge of answers an exchange, and what is not known of it. */
function judge(answers: Answers, { exchange, response, hasAnswer }: Placed): void {
  const { endpoint, lacks, ...rest } = exchange
  const lacking = new Set<Knowledge>(lacks)
  if (response !== undefined && !hasAnswer) lacking.add('answers')
  const sent = { ...rest, ...(endpoint && { endpoint }) }
  if (response === undefined) answers.lost(sent, lacking)
  else answers.see({ ...sent, response }, lacking)
}

function store(recorder: Recorder, placed: Placed): void {
  const { client, exchange, response, hasAnswer } = placed
  const { endpoint: _, ...rest } = shownWithout(exchange)
  const bytes = rest.request.body
  const told = { token: client.secret, bodyText: bytes === null ? null : Buffer.from(bytes).toString('utf8') }
  if (response === undefined) {
    const message = 'the recording holds no answer'
    recorder.failed({ ...rest, error: { kind: exchange.ending, message } }, told)
  } else recorder.record({ ...rest, response: hasAnswer ? response : { ...response, ...UNKNOWN_BODY } }, told)
}

const UNKNOWN_BODY = { rawBody: Buffer.from(NOT_RECORDED), ...readText(Buffer.from(NOT_RECORDED), []) }

/** Returns an exchange that says of the body of its request if it is not known. */
const shownWithout = (exchange: Placed['exchange']): Placed['exchange'] =>
  exchange.request.body === null && exchange.lacks?.has('requests')
    ? { ...exchange, request: { ...exchange.request, body: UNKNOWN_BODY.rawBody } }
    : exchange
