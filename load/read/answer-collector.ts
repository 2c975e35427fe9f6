import {
  bookingIn,
  cancellationsOf,
  goneAs,
  type Ledger,
  readingOf,
} from '../../fixtures/client/money/index.ts'
import type { Recorder } from '../../fixtures/client/recording/index.ts'
import { routeOf } from '../../fixtures/ground/endpoints.ts'
import type { HeaderList } from '../../fixtures/ground/exchange.ts'
import { productsOf } from '../../fixtures/ground/products.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import type { Plan } from '../plan/plan.ts'
import type { RawStage } from '../run/run-stages.ts'
import { type LoadExchange, type LoadFailure, readAnswerLog } from './evidence.ts'

interface CollectorOptions {
  /** The check that the exchanges belong to. */
  check: string
  recorder: Recorder
  /** The journal of bookings; absent if they are not journalled. */
  ledger?: Ledger | undefined
  /** Receives every complete answer. */
  observe(exchange: LoadExchange): void
}

/** Bytes of a body that are kept after judging, to limit memory. */
const LARGEST_KEPT = 16 * 1024
/** The number of exchanges per call and status that are written even if no finding cites them. */
const SAMPLES = 2

/** Collects the answers of one scenario. */
export class AnswerCollector {
  readonly #options: CollectorOptions
  readonly #kept: { exchange: LoadExchange; token: string | null }[] = []

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  /**
   * Reads the answer log of a stage. Every answer is observed in full, then kept without the rest of a long body.
   *
   * @param sent what the log leaves out: credentials in the order of `plan.senders`, and headers of every request
   */
  async collect(
    plan: Plan,
    sent: Pick<RawStage, 'tokens' | 'headers'>,
    log: string,
  ): Promise<{ exchanges: LoadExchange[]; failures: LoadFailure[] }> {
    const { check, recorder, ledger, observe } = this.#options
    const exchanges: LoadExchange[] = []
    const failures: LoadFailure[] = []
    const tokenOf = new Map(
      plan.senders.map(({ role, tenant }, index) => [tenant ?? role, sent.tokens[index]]),
    )
    const surplus: Promise<void>[] = []
    const context = { ...plan, check, nextId: () => recorder.nextId() }
    await readAnswerLog(log, context, answer => {
      if (!('response' in answer)) {
        failures.push(answer)
        return
      }
      const { role, tenant } = answer.sender
      const token = tokenOf.get(tenant ?? role) ?? null
      const whole = withSecrets(answer, token, sent.headers)
      observe(whole)
      if (ledger !== undefined) {
        surplus.push(noteMade(whole, ledger))
        noteGone(whole, ledger)
      }
      const exchange = shortened(whole)
      exchanges.push(exchange)
      this.#kept.push({ exchange, token })
    })
    await Promise.all(surplus)
    return { exchanges, failures }
  }

  /** Writes the exchanges with these ids to the run's folder, redacted, and some of every call and status. */
  write(ids: readonly string[]): void {
    const { check, recorder } = this.#options
    const wanted = new Set(ids)
    const seen = new Map<string, number>()
    for (const { exchange, token } of this.#kept) {
      const kind = `${exchange.op} ${exchange.response.status}`
      const count = seen.get(kind) ?? 0
      seen.set(kind, count + 1)
      if (count >= SAMPLES && !wanted.has(exchange.id)) continue
      const { body } = exchange.request
      recorder.record(exchange, { token, bodyText: body === null ? null : Buffer.from(body).toString() })
    }
    recorder.forget(check)
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
function withSecrets(exchange: LoadExchange, token: string | null, fixed: RawStage['headers']): LoadExchange {
  if (token === null) return exchange
  const headers: HeaderList = [
    ['Authorization', `Bearer ${token}`],
    ...Object.entries(fixed),
    ...exchange.request.headers,
  ]
  return { ...exchange, request: { ...exchange.request, headers } }
}

/** Truncates a long body. */
function shortened(exchange: LoadExchange): LoadExchange {
  const { body, text, json, ...rest } = exchange.response
  const isJson = json !== undefined && body.length <= LARGEST_KEPT
  // A copy: a part of a longer body would keep all of it.
  const bytes = body.length <= LARGEST_KEPT ? body : Buffer.from(body.subarray(0, LARGEST_KEPT))
  return {
    ...exchange,
    response: {
      ...rest,
      rawBody: bytes,
      body: bytes,
      // Read again at each access: JSON takes up to twenty times the memory of its text.
      get text() {
        return Buffer.from(bytes).toString()
      },
      get json() {
        return isJson ? jsonIn(bytes) : undefined
      },
    },
  }
}
