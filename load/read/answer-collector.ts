import { endOf } from '../../fixtures/checkers/endpoint.ts'
import {
  bookingIn,
  cancellationsOf,
  goneAs,
  type Ledger,
  readingOf,
} from '../../fixtures/client/money/index.ts'
import type { Recorder } from '../../fixtures/client/recording/index.ts'
import { routeOf } from '../../fixtures/ground/endpoints.ts'
import { type HeaderList, header } from '../../fixtures/ground/exchange.ts'
import { productsOf } from '../../fixtures/ground/products.ts'
import type { RawStage } from '../run/run-stages.ts'
import {
  countsIn,
  type LoadExchange,
  type LoadFailure,
  type RequestRow,
  readAnswerLog,
  rowOf,
  TIMED_OUT,
} from './evidence.ts'
import type { ScenarioEvidence } from './scenario-evidence.ts'

interface CollectorOptions {
  recorder: Recorder
  /** The journal of bookings; absent if they are not journalled. */
  ledger?: Ledger | undefined
  /** Takes what is recorded. */
  evidence: ScenarioEvidence
}

/** The bytes of one scenario that are recorded, at most. Later answers are not judged either: who has the recording has it all. */
const MOST_RECORDED = 256 * 2 ** 20
/** The approximate length of a line without its bodies. */
const ENVELOPE = 2048
/** k6 does not unpack what has this older name of gzip, so what it holds is not known. */
const PACKED = /\bx-gzip\b/i

/** Reads the answers of one scenario: each is recorded, and judged. */
export class AnswerCollector {
  readonly #options: CollectorOptions
  readonly #most: number
  #recorded = 0
  /** When the last answer that was recorded was there, in epoch milliseconds. */
  #last = 0
  /** The number of answers that were not recorded. */
  #leftOut = 0

  constructor(options: CollectorOptions, most = MOST_RECORDED) {
    this.#options = options
    this.#most = most
  }

  /** Reads the answer log of a stage, and returns its requests in short. */
  async collect(raw: RawStage, log: string): Promise<RequestRow[]> {
    const { recorder, ledger, evidence } = this.#options
    const { plan, senders, headers, tokens } = raw
    const tokenOf = new Map(senders.map(({ alias }, index) => [alias, tokens[index]]))
    const context = { ...plan, check: evidence.check, nextId: () => recorder.nextId() }
    await evidence.begins(raw, () => countsIn(log, context))
    const rows: RequestRow[] = []
    const surplus: Promise<void>[] = []
    await readAnswerLog(log, context, answer => {
      rows.push(rowOf(answer))
      const token = tokenOf.get(answer.who) ?? null
      const whole = withSecrets(answer, token, headers)
      this.#take(whole, token)
      if (!('response' in whole) || ledger === undefined) return
      surplus.push(noteMade(whole, ledger))
      noteGone(whole, ledger)
    })
    await Promise.all(surplus)
    evidence.ends(raw)
    if (this.#leftOut > 0)
      evidence.tells(
        `${this.#leftOut} answers were neither recorded nor judged: too many for one recording, or packed so that k6 does not read them`,
      )
    return rows
  }

  #take(sent: LoadExchange | LoadFailure, token: string | null): void {
    const { recorder, evidence } = this.#options
    const { body } = sent.request
    const also = { token, bodyText: body === null ? null : Buffer.from(body).toString() }
    if (!('response' in sent)) {
      const kind = sent.error.code === TIMED_OUT ? 'timeout' : 'lost'
      recorder.failed({ ...sent, error: { kind, message: sent.error.message } }, also)
      return
    }
    const { response, ...request } = sent
    const isPacked = PACKED.test(header(response.headers, 'content-encoding') ?? '')
    if (!isPacked && this.#recorded < this.#most) {
      recorder.record(sent, also)
      recorder.forget(evidence.check)
      this.#recorded += ENVELOPE + response.body.length + (body?.length ?? 0)
      this.#last = Math.max(this.#last, endOf(sent))
      return
    }
    this.#leftOut++
    // What it did may show in answers that are judged.
    if (isPacked || Date.parse(sent.startedAt) <= this.#last)
      recorder.failed({ ...request, error: { kind: 'lost', message: 'the answer is not recorded' } }, also)
  }
}

/**
 * Records a booking that the ledger does not know, for instance if copies of one confirmation made several: the
 * gate reports only one.
 */
async function noteMade(exchange: LoadExchange, ledger: Ledger): Promise<void> {
  const { method, path, body, headers } = exchange.request
  const { response, sender } = exchange
  const route = routeOf({ method, path, endpoint: exchange.endpoint })
  const { bookingId, idIsNumber } = bookingIn(response.json)
  if (route?.does !== 'books' || response.status >= 300 || bookingId === undefined) return
  const products = route.product === undefined ? productsOf('v2') : [route.product]
  if (products.some(product => ledger.madeBy({ product, ...sender, bookingId }))) return
  const text = Buffer.from(body ?? '').toString()
  const id = await ledger.intend({
    product: products[0]!,
    ...sender,
    path,
    headers: headers.filter(([name]) => name.toLowerCase() !== 'authorization'),
    body: text,
    proven: false,
  })
  ledger.settle(id, { bookingId, ...(idIsNumber && { idIsNumber }), exchange: exchange.id })
}

/** Records in the ledger that a booking was cancelled or does not exist. */
function noteGone(exchange: LoadExchange, { cancelled }: Ledger): void {
  const { method, path, body } = exchange.request
  const call = { method, path, endpoint: exchange.endpoint, body: body && Buffer.from(body).toString() }
  const read = readingOf(call)
  const gone = goneAs(exchange, read === null ? 'cancel' : 'read')
  if (gone === null) return
  for (const subject of read === null ? cancellationsOf(call) : [read]) {
    // A v2 path does not tell the product, and ids are shared by all of them.
    const products = exchange.version === 'v2' ? productsOf('v2') : [subject.product]
    for (const product of products) cancelled({ ...subject, product, ...exchange.sender }, gone)
  }
}

/** Answer logs contain no credentials, so their headers are added again. */
function withSecrets<Of extends LoadExchange | LoadFailure>(
  sent: Of,
  token: string | null,
  fixed: RawStage['headers'],
): Of {
  if (token === null) return sent
  const headers: HeaderList = [
    ['Authorization', `Bearer ${token}`],
    ...Object.entries(fixed),
    ...sent.request.headers,
  ]
  return { ...sent, request: { ...sent.request, headers } }
}
