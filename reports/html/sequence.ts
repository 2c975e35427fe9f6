import type { StoredBody, StoredExchange } from '../../fixtures/client/redaction/index.ts'
import type { Finding } from '../../fixtures/ground/record.ts'

/** One exchange of a finding, as its picture shows it. */
export interface Step {
  kind: 'exchange'
  /** Its place among the exchanges of the finding, from 1. */
  number: number
  /** The role of the credential that sent it. */
  who: string
  method: string
  path: string
  /** What was known of its request from earlier ones; absent if nothing. */
  known?: string
  /** The status, or why there was no answer. */
  status: string
  /** What its answer shows: an error code, a booking and its status, a number of things on sale. */
  shows?: string
  /** Whether it shows the fault. */
  guilty: boolean
}

/** Something between two exchanges: a call of control, or exchanges that are left out. */
export interface Between {
  kind: 'control' | 'gap'
  text: string
}

/** The maximum number of exchanges in a picture. The first ones and the last ones stay. */
const MOST = 8
const FIRST = 3

/** The maximum length of a body that is read, in characters. */
const LONGEST = 200_000

/**
 * Returns the exchanges of a finding in the order sent, the last of which shows the fault, with the calls of control between
 * them. Exchanges that were not stored are left out.
 */
export function sequenceOf(
  { exchanges: ids, arranged = [] }: Pick<Finding, 'exchanges' | 'arranged'>,
  stored: ReadonlyMap<string, StoredExchange>,
): (Step | Between)[] {
  const found = ids.flatMap((id, at): Placed[] => {
    const exchange = stored.get(id)
    return exchange === undefined ? [] : [{ exchange, number: at + 1 }]
  })
  const left = found.length - MOST
  const kept = left > 0 ? [...found.slice(0, FIRST), ...found.slice(FIRST - MOST)] : found
  const control = Map.groupBy(arranged.map(parted), ({ after }) => placeAmong(after, ids))
  return kept.flatMap(({ exchange, number }, at): (Step | Between)[] => [
    ...(left > 0 && at === FIRST ? [{ kind: 'gap' as const, text: `${left} more exchanges` }] : []),
    // What control did after the last exchange has nothing to do with it.
    ...(control.get(number - 1) ?? []).map(({ text }) => ({ kind: 'control' as const, text })),
    {
      kind: 'exchange',
      number,
      who: exchange.sender.role,
      method: exchange.request.method,
      path: exchange.request.path,
      ...knownOf(exchange, kept.slice(0, at)),
      ...answerOf(exchange),
      guilty: number === ids.length,
    },
  ])
}

/** Returns a call of control in words, and the exchange that preceded it. */
function parted(call: string): { text: string; after: string } {
  const [, text = call, after = ''] = /^(.*?)(?: for role \S+)?(?: \(after exchange (\w+)\))?$/s.exec(call)!
  return { text, after }
}

/** Returns after how many exchanges of a finding another exchange of its check was sent, by the numbers in their ids. */
function placeAmong(after: string, ids: readonly string[]): number {
  const exact = ids.indexOf(after)
  if (exact !== -1) return exact + 1
  const numbered = (id: string): { worker: string; number: number } => {
    const [, worker = '', digits = ''] = /^(\D*)(\d*)$/.exec(id) ?? []
    return { worker, number: Number(digits) }
  }
  const { worker, number } = numbered(after)
  const earlier = ids.map(numbered).findLastIndex(one => one.worker === worker && one.number <= number)
  return earlier + 1
}

/** An exchange with its place among those of the finding. */
interface Placed {
  exchange: StoredExchange
  number: number
}

/** Returns what earlier exchanges tell of a request: what it repeats, the booking that it is about, its offer. */
function knownOf(exchange: StoredExchange, earlier: readonly Placed[]): Pick<Step, 'known'> {
  const { request } = exchange
  const known = repeats(request, earlier) ?? [
    ...about(request, earlier),
    ...(keyOf(request) === undefined ? [] : [keyText(request, earlier)]),
  ]
  return known.length === 0 ? {} : { known: known.join(', ') }
}

/** Returns which earlier request this one is the same as. */
function repeats(request: StoredExchange['request'], earlier: readonly Placed[]): string[] | undefined {
  const key = keyOf(request)
  const same = earlier.find(
    ({ exchange: { request: other } }) =>
      other.method === request.method &&
      other.path === request.path &&
      textOf(other.body) === textOf(request.body) &&
      keyOf(other) === key,
  )
  if (same === undefined) return undefined
  return [key === undefined ? `the same as ${same.number}` : `same key and body as ${same.number}`]
}

function keyText(request: StoredExchange['request'], earlier: readonly Placed[]): string {
  const same = earlier.find(({ exchange }) => keyOf(exchange.request) === keyOf(request))
  return same === undefined ? 'a key of its own' : `key of ${same.number}, another body`
}

/** An offer in the traffic, as the recorder shortens it. */
const OFFER = /offer:[0-9a-f]{6,}/g

/** Returns the booking or the offer of a request, by the answer that showed it last. */
function about({ path, body }: StoredExchange['request'], earlier: readonly Placed[]): string[] {
  const parts = new Set(path.split(/[/?&=]/))
  const booking = earlier.findLast(({ exchange }) => parts.has(thingOf(exchange)?.id ?? '/'))
  if (booking !== undefined) {
    const { name, status } = thingOf(booking.exchange)!
    return [`${name} of ${booking.number}${status === undefined ? '' : `, ${status}`}`]
  }
  const [offer] = textOf(body)?.match(OFFER) ?? []
  const shown = earlier.find(
    ({ exchange }) => offer !== undefined && textOf(exchange.response?.body)?.includes(offer),
  )
  return shown === undefined ? [] : [`an offer of ${shown.number}`]
}

const keyOf = ({ headers }: StoredExchange['request']): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]

const textOf = (body: StoredBody | null | undefined): string | undefined =>
  body?.kind === 'text' ? body.text : undefined

function answerOf({ response, error }: StoredExchange): Pick<Step, 'status' | 'shows'> {
  if (response === undefined) return { status: error?.kind ?? 'no answer' }
  const shows = response.body?.kind === 'binary' ? `${response.body.bytes} bytes` : shownBy(response.body)
  return { status: String(response.status), ...(shows === undefined ? {} : { shows }) }
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of a JSON body; `undefined` for any other. */
function jsonOf(body: StoredBody | null | undefined): unknown {
  const text = textOf(body)
  if (text === undefined || text.length > LONGEST) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns what an answer tells of what was sold, in a few words. The names of fields are those of the document. */
function shownBy(body: StoredBody | null): string | undefined {
  const answer = jsonOf(body)
  if (Array.isArray(answer)) return `a list of ${answer.length}`
  if (!isFields(answer)) return undefined
  const thing = thingIn(answer)
  return (
    errorIn(answer) ??
    (thing && [thing.name, thing.id, thing.status, thing.replay && '(a replay)'].filter(Boolean).join(' ')) ??
    listIn(answer)
  )
}

function errorIn({ error }: Fields): string | undefined {
  if (typeof error === 'string') return error
  return isFields(error) && typeof error.code === 'string' ? error.code : undefined
}

/** Something that was sold, as an answer shows it. */
interface Thing {
  name: string
  id: string
  status: string | undefined
  replay: boolean
}

function thingOf({ response }: StoredExchange): Thing | undefined {
  const answer = jsonOf(response?.body)
  return isFields(answer) ? thingIn(answer) : undefined
}

const ID = /^(?:id_(?!request)\w+|(?!request_)\w+_id)$/

/** Returns the first id of an answer or of an object in it, with its status. */
function thingIn(answer: Fields): Thing | undefined {
  for (const part of [answer, ...Object.values(answer).filter(isFields)]) {
    const [name, id] =
      Object.entries(part).find(
        ([field, value]) => ID.test(field) && (typeof value === 'string' || typeof value === 'number'),
      ) ?? []
    if (name === undefined) continue
    const status = part.status ?? part.state
    return {
      name: name.replace(/^id_|_id$/g, ''),
      id: String(id),
      status: typeof status === 'string' ? status : undefined,
      replay: part.idempotent_replay === true,
    }
  }
  return undefined
}

function listIn(answer: Fields): string | undefined {
  const [name, list] = Object.entries(answer).find(([, value]) => Array.isArray(value)) ?? []
  return name === undefined ? undefined : `${(list as unknown[]).length} ${name}`
}
