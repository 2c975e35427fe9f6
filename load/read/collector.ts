import { cancellationOf, goneAs, readingOf } from '../../fixtures/client/confirmations.ts'
import type { HeaderList } from '../../fixtures/client/exchange.ts'
import type { Ledger } from '../../fixtures/client/ledger.ts'
import type { Recorder } from '../../fixtures/client/recorder.ts'
import type { LoadExchange, LoadFailure, StageEvidence } from '../judge/judge.ts'
import { createHearing, type Hearing } from '../judge/observe.ts'
import { readSpool } from './answer-log.ts'

/** Everything that hears what was answered in one scenario. */
export interface Audience {
  hearing: Hearing
  /** Makes a credential known that goes by an alias: from now on its exchanges are shown with it, redacted. */
  knows(alias: string, token: string): void
  /** Takes in what the consoles of a stage's k6 processes hold. */
  attend(evidence: StageEvidence, spools: readonly string[]): Promise<StageEvidence>
  /** Writes these exchanges down, redacted, with a few of every kind. */
  writeDown(ids: readonly string[]): void
}

interface AudienceOptions {
  /** What the exchanges are filed under. */
  check: string
  recorder: Recorder
  /** Where bookings are journalled; absent where they are not. */
  ledger?: Ledger | undefined
}

/** Bodies larger than this are cut once they are judged: thousands of them would fill the memory. */
const LARGEST_KEPT = 16 * 1024
/** Of every call and status, so many exchanges are written down though no finding cites them. */
const SAMPLES = 2

const PRODUCTS = ['v2-transfers', 'v2-tickets', 'v2-hotels'] as const

export function createAudience({ check, recorder, ledger }: AudienceOptions): Audience {
  const hearing = createHearing()
  const exchanges = new Map<string, { exchange: LoadExchange; token: string | null }>()
  const tokens = new Map<string, string>()

  /** What cancels, or shows that a booking is gone, is noted as the kit's own client does. */
  const keepBooks = (exchange: LoadExchange, { cancelled }: Ledger): void => {
    const { method, path } = exchange.request
    const cancellation = cancellationOf({ method, path })
    const subject = cancellation ?? readingOf({ method, path })
    if (subject === null) return
    const gone = goneAs(exchange, cancellation === null ? 'read' : 'cancel')
    if (gone === null) return
    // A v2 path does not say of which product a booking is, and ids are of all of them.
    for (const product of PRODUCTS) cancelled({ ...subject, product, ...exchange.sender }, gone)
  }

  return {
    hearing,
    knows: (alias, token) => void tokens.set(alias, token),

    async attend(evidence, spools) {
      const heard: LoadExchange[] = []
      const failures: LoadFailure[] = []
      const { baseUrl, senders } = evidence.plan
      const aliases = new Map(senders.map(({ alias, role, tenant }) => [tenant ?? role, alias]))
      for (const spool of spools) {
        await readSpool(spool, { baseUrl, senders, check, nextId: recorder.nextId }, answer => {
          if (!('response' in answer)) {
            failures.push(answer)
            return
          }
          const { role, tenant } = answer.sender
          const token = tokens.get(aliases.get(tenant ?? role) ?? '') ?? null
          const whole = withCredential(answer, token)
          hearing.hear(whole)
          if (ledger !== undefined) keepBooks(whole, ledger)
          const kept = lightened(whole)
          heard.push(kept)
          exchanges.set(kept.id, { exchange: kept, token })
        })
      }
      return { ...evidence, exchanges: heard, failures }
    },

    writeDown(ids) {
      const wanted = new Set(ids)
      const seen = new Map<string, number>()
      for (const { exchange } of exchanges.values()) {
        const kind = `${exchange.op} ${exchange.response.status}`
        const count = seen.get(kind) ?? 0
        seen.set(kind, count + 1)
        if (count < SAMPLES) wanted.add(exchange.id)
      }
      for (const { exchange, token } of exchanges.values()) {
        if (!wanted.has(exchange.id)) continue
        const { body } = exchange.request
        recorder.record(exchange, { token, bodyText: body === null ? null : Buffer.from(body).toString() })
      }
      recorder.forget(check)
    },
  }
}

/** Spools hold no credentials; what was sent did. */
function withCredential(exchange: LoadExchange, token: string | null): LoadExchange {
  if (token === null) return exchange
  const headers: HeaderList = [['Authorization', `Bearer ${token}`], ...exchange.request.headers]
  return { ...exchange, request: { ...exchange.request, headers } }
}

function lightened(exchange: LoadExchange): LoadExchange {
  const { response } = exchange
  if (response.body.length <= LARGEST_KEPT) return exchange
  const body = response.body.subarray(0, LARGEST_KEPT)
  const text = response.text.slice(0, LARGEST_KEPT)
  return { ...exchange, response: { ...response, rawBody: body, body, text, json: undefined } }
}
