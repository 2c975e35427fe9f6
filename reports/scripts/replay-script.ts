import { bookingIn } from '../../fixtures/client/money/index.ts'
import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { methodsAt } from '../../fixtures/ground/endpoints.ts'
import { v1IdIn } from '../../fixtures/ground/ids.ts'
import { comparedIn, comparisonOf } from './comparison.ts'
import {
  bodyText,
  daysOf,
  isBooking,
  jsonOf,
  keysOf,
  type Link,
  placesIn,
  type ScriptPlan,
  type ScriptSubject,
  STATES,
  STATES_OF_VOUCHER,
  sentText,
  stateIn,
  type Total,
  totalOf,
} from './plan.ts'
import { writeScript } from './text.ts'

/** The maximum number of steps. Nobody would follow more. */
const MOST_STEPS = 40

/** Stored offers and rate keys; keys and references made up by the kit; ids of v1 and v2. */
const OFFER = /offer:[0-9a-f]{8}/g
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const OWN_KEY = new RegExp(UUID, 'g')
const OWN = new RegExp(`(?<=tss-(?:[\\w.]+-)*)${UUID}`, 'g')
const IN_PATH = /\/api\/v2\/(bookings|hotels\/availability)\/([^/?#]+)/
const NAMED_ID = /((?:[?&]|")(?:id|\w*_id|id_\w+|order\w*)(?:=|"\s*:\s*"?))([\w.-]+)/g

/**
 * Returns a shell script (POSIX sh, curl and jq) that repeats the exchanges of a finding with its own offers, keys
 * and bookings, compares the last answer with the expected one, and cancels what it booked. Its exit code is 1 if
 * the fault is reproduced, 0 if not, and 2 if it could not be tried.
 *
 * @param shown the ids of the finding's exchanges in the order of sending; the last one shows the fault
 * @param pool all recorded exchanges that values may come from, in the order of their answers
 * @returns `undefined` if no script can repeat it: a request was not stored in full or as another one, no recorded
 * answer can have shown an offer, or control had arranged something
 */
export function replayScript(
  subject: ScriptSubject,
  shown: readonly string[],
  pool: readonly StoredExchange[],
): string | undefined {
  const wanted = pool.filter(({ id }) => shown.includes(id))
  if (wanted.length < shown.length || wanted.length === 0) return undefined
  const plan = planFor(comparedIn(subject, wanted, pool), pool, wanted)
  if (plan === undefined || !plan.steps.every(isWhole) || plan.steps.some(isMistaken)) return undefined
  if (isArranged(subject, plan.steps, pool)) return undefined
  return writeScript(subject, plan, comparisonOf(subject, plan, pool), pool)
}

/** Returns whether control did something before the last step, for a company that sends one of them. */
function isArranged(
  { arranged = [] }: ScriptSubject,
  steps: readonly StoredExchange[],
  pool: readonly StoredExchange[],
): boolean {
  const isMinted = steps.some(({ sender }) => sender.tenant !== undefined)
  const roles = new Set(steps.map(({ sender }) => sender.role))
  const last = pool.indexOf(steps.at(-1)!)
  return arranged.some(what => {
    const [, role = '', after] = /(?: for role (\S+))?(?: \(after exchange (\w+)\))?$/.exec(what)!
    const isOfOther = isMinted && role !== '' && !roles.has(role) && !roles.has('colleague')
    return !isOfOther && pool.findIndex(({ id }) => id === after) < last
  })
}

/**
 * Returns the exchanges that a script may use, in the order of their answers: all of a check, and those of others that its
 * finding cites.
 */
export function poolOf(sent: readonly StoredExchange[], cited: readonly StoredExchange[]): StoredExchange[] {
  const all = new Map([...cited, ...sent].map(exchange => [exchange.id, exchange]))
  return [...all.values()].sort((a, b) => endOf(a) - endOf(b))
}

/** What no script can fill in again: secrets that the recorder replaced, other than credentials, offers and rate keys. */
const HIDDEN = /\[(?:redacted|private voucher link)\]/

const isWhole = (step: StoredExchange): boolean => {
  const { body } = step.request
  return (body === null || (body.kind === 'text' && body.cut === undefined)) && !HIDDEN.test(sentText(step))
}

/** Returns whether two requests that differed are stored alike, since they differed in what was hidden. */
const isMistaken = (
  { request: { body } }: StoredExchange,
  _: number,
  steps: readonly StoredExchange[],
): boolean =>
  body?.kind === 'text' &&
  steps.some(
    ({ request: { body: other } }) =>
      other?.kind === 'text' && other.text === body.text && other.same !== body.same,
  )

const endOf = ({ startedAt, milliseconds }: StoredExchange): number => Date.parse(startedAt) + milliseconds

/** Returns steps in the order of their answers, with concurrent ones of the finding together. */
function grouped(steps: readonly StoredExchange[], atOnce: ReadonlySet<StoredExchange>): StoredExchange[][] {
  const groups: StoredExchange[][] = []
  for (const step of steps) {
    const group = groups.at(-1)
    // Times are whole milliseconds, so one that starts when another ends is not concurrent.
    const starts = Date.parse(step.startedAt) + 2
    const isBeside = (other: StoredExchange) => atOnce.has(other) && starts < endOf(other)
    if (atOnce.has(step) && group?.some(isBeside)) group.push(step)
    else groups.push([step])
  }
  return groups
}

/**
 * Returns the steps of a script: the compared exchanges, every earlier request that may have changed what they are about,
 * those that provide their values, and the links between them.
 */
function planFor(
  compared: readonly StoredExchange[],
  pool: readonly StoredExchange[],
  shown: readonly StoredExchange[],
): ScriptPlan | undefined {
  const order = new Map(pool.map((exchange, at) => [exchange, at]))
  const last = compared.at(-1)!
  if (isRefusedMethod(last)) return { ...NOTHING_ELSE, steps: [last], groups: [[last]], shown: [last] }
  const ids = orderIdsIn(pool)
  const before = pool.slice(0, order.get(last))
  const changes = before.filter(isChange).map(change => ({ change, things: thingsOf(change, ids) }))
  const steps = new Set([...compared, ...askedBefore(last, { before, shown, ids })])
  const about = new Set(compared)
  const links: Link[] = []
  const totals: Total[] = []
  const names = { OFFER: 0, ID: 0 }
  for (const step of steps) {
    if (about.has(step)) {
      const things = thingsOf(step, ids)
      for (const { change, things: others } of changes) {
        if (![...others].some(thing => things.has(thing))) continue
        steps.add(change)
        about.add(change)
      }
    }
    const total = isBooking(step) && totalOf(step, pool.slice(0, order.get(step)))
    if (total) {
      totals.push(total)
      for (const { from } of total.terms) steps.add(from)
    }
    for (const { kind, text, after } of valuesOf(step)) {
      const isKnown = ({ from, ...link }: Link) =>
        link.text === text && link.after === after && order.get(from)! < order.get(step)!
      if (links.some(isKnown)) continue
      // A later answer may only repeat what its own request contained.
      const source = pool
        .slice(0, order.get(step))
        .map(exchange => ({ exchange, path: pathTo(exchange, text, kind) }))
        .find(({ path }) => path !== undefined)
      if (source === undefined) {
        // Another check may have begun a search that is over now.
        if (after?.includes('availability') && (step.response?.status ?? 400) < 400) return undefined
        // A made-up id is the point of the request, but an offer is never made up.
        if (kind !== 'OFFER') continue
        const cut = pool.slice(0, order.get(step)).filter(other => mayHaveShown(other, step))
        const from = cut.findLast(other => offersIn(other).includes(text)) ?? cut.at(-1)
        if (from === undefined) return undefined
        const place = offersIn(from).indexOf(text)
        const others = links.filter(link => link.from === from && link.offer !== undefined).length
        links.push({
          text,
          name: `$${kind}_${++names[kind]}`,
          from,
          path: [],
          offer: place < 0 ? others : place,
        })
        steps.add(from)
        continue
      }
      const known = links.find(link => link.text === text && link.from === source.exchange)
      links.push({
        text,
        ...(after !== undefined && { after }),
        name: known?.name ?? `$${kind}_${++names[kind]}`,
        from: source.exchange,
        path: source.path!,
      })
      steps.add(source.exchange)
    }
  }
  const states = /voucher|pdf/.test(last.request.path) ? STATES_OF_VOUCHER : STATES
  const awaited = awaitedIn(about, before, ids, states)
  for (const read of awaited) steps.add(read)
  if (steps.size > MOST_STEPS) return undefined
  const inOrder = [...steps].sort((a, b) => order.get(a)! - order.get(b)!)
  const made = new Set(inOrder.flatMap(madeUp))
  return {
    steps: inOrder,
    groups: grouped(inOrder, about),
    shown: compared,
    links,
    totals,
    days: daysOf(inOrder),
    own: [...made].map((text, at) => ({ text, name: `$OWN_${at + 1}` })),
    awaited,
    states,
  }
}

const NOTHING_ELSE = { links: [], totals: [], days: [], own: [], awaited: [], states: STATES }

/** Returns whether a request was refused, or should have been, for its method alone, so that nothing before matters. */
const isRefusedMethod = ({ request: { method, path }, response }: StoredExchange): boolean => {
  const methods = methodsAt(path)
  return methods.length > 0 ? !methods.includes(method) : response?.status === 405
}

/** Returns whether a request may have changed what is known of offers, orders, keys and references, whatever its answer. */
export const isChange = (step: StoredExchange): boolean =>
  step.request.method !== 'GET' && (isBooking(step) || /cancel|check/i.test(step.request.path.split('?')[0]!))

/**
 * Returns what was asked about the order of the last step, by whatever company: what the finding shows, and the first read of
 * each kind that was answered, since a fault may show only after one.
 */
function askedBefore(
  last: StoredExchange,
  { before, shown, ids }: { before: readonly StoredExchange[]; shown: readonly StoredExchange[]; ids: Ids },
): StoredExchange[] {
  const own = thingsOf(last, ids, '')
  const about = before.filter(one => [...thingsOf(one, ids, '')].some(thing => own.has(thing)))
  const reads = Map.groupBy(
    about.filter(({ request, response }) => request.method === 'GET' && (response?.status ?? 400) < 400),
    ({ sender, request }) => `${sender.role} ${request.path}`,
  )
  return [...Array.from(reads.values(), ([first]) => first!), ...about.filter(one => shown.includes(one))]
}

/** The ids of orders and bookings, each with the companies whose it may be. */
type Ids = ReadonlyMap<string, readonly string[]>

/** Returns the ids of the orders and bookings that answers show. */
const orderIdsIn = (pool: readonly StoredExchange[]): Ids => {
  const ids = new Map<string, string[]>()
  for (const one of pool.filter(isBooking)) {
    const { bookingId = '' } = bookingIn(jsonOf(one))
    ids.set(bookingId, [...new Set([...(ids.get(bookingId) ?? []), one.sender.tenant ?? ''])])
  }
  ids.delete('')
  return ids
}

/** Returns what a request is about: its offers, key and reference, and the order that it names or makes. */
function thingsOf(step: StoredExchange, ids: Ids, company = step.sender.tenant ?? ''): ReadonlySet<string> {
  const { version } = step
  const orders = [...valuesOf(step).map(({ text }) => text), bookingIn(jsonOf(step)).bookingId ?? '']
  return new Set([
    ...(sentText(step).match(OFFER) ?? []),
    ...keysOf(step),
    // Companies may count their ids for themselves.
    ...orders.flatMap(id => {
      const [owner, ...others] = ids.get(id) ?? []
      return owner === undefined ? [] : [`${version} ${others.length > 0 ? company : ''} ${id}`]
    }),
  ])
}

/**
 * Returns the reads that showed a booking in another state than the last request that changed it: it was pending until then,
 * or its voucher was. A script repeats such a read until it shows that state.
 */
function awaitedIn(
  about: ReadonlySet<StoredExchange>,
  before: readonly StoredExchange[],
  ids: Ids,
  states: ScriptPlan['states'],
): StoredExchange[] {
  const known = new Map<string, { changed: string; read?: StoredExchange }>()
  for (const exchange of before) {
    const state = (exchange.response?.status ?? 500) < 300 ? stateIn(jsonOf(exchange), states) : ''
    if (state === '') continue
    // The other things are offers, keys and references.
    for (const order of [...thingsOf(exchange, ids)].filter(thing => thing.includes(' '))) {
      const last = known.get(order)
      if (about.has(exchange)) known.set(order, { changed: state })
      else if (exchange.request.method === 'GET' && last !== undefined)
        known.set(order, { ...last, ...(state === last.changed ? {} : { read: exchange }) })
    }
  }
  return [...known.values()].flatMap(({ read }) => read ?? [])
}

type Kind = 'OFFER' | 'ID'

/** Returns the values of a request that the kit made up: keys, and values that it marks as its own. */
const madeUp = (step: StoredExchange): string[] => [
  ...step.request.headers.flatMap(([name, value]) =>
    /^idempotency-key$/i.test(name) ? (value.match(OWN_KEY) ?? []) : [],
  ),
  ...(sentText(step).match(OWN) ?? []),
]

/** Returns the values of a request that may come from an earlier answer. */
function valuesOf(step: StoredExchange): { kind: Kind; text: string; after?: string }[] {
  const { path } = step.request
  const [, list, inPath] = IN_PATH.exec(path) ?? []
  const named = [...`${path} ${bodyText(step)}`.matchAll(NAMED_ID)]
  return [
    ...[...new Set(sentText(step).match(OFFER))].map(text => ({ kind: 'OFFER' as const, text })),
    ...(inPath === undefined ? [] : [{ kind: 'ID' as const, text: inPath, after: `/api/v2/${list}/` }]),
    ...(step.version === 'v1'
      ? named
          .filter(([, , text]) => !OFFER.test(text!))
          .map(([, after, text]) => ({ kind: 'ID' as const, text: text!, after: after! }))
      : []),
  ]
}

/** Returns the offers in an answer, in order. */
const offersIn = ({ response }: StoredExchange): string[] =>
  response?.body?.kind === 'text' ? [...new Set(response.body.text.match(OFFER))] : []

/** Returns whether a truncated answer may have contained offers for the sender of a request. */
const mayHaveShown = (other: StoredExchange, step: StoredExchange): boolean =>
  other.response?.body?.kind === 'text' &&
  other.response.body.cut !== undefined &&
  offersIn(other).length > 0 &&
  (other.sender.tenant ?? other.sender.role) === (step.sender.tenant ?? step.sender.role)

/** Returns the place of a value in an answer. A v2 id must have a name that ends in `id`. */
function pathTo(exchange: StoredExchange, text: string, kind: Kind): Link['path'] | undefined {
  const { response, version } = exchange
  if (response?.body?.kind !== 'text' || !response.body.text.includes(text)) return undefined
  // Only a refusal contains the offer of a changed price.
  if (kind !== 'OFFER' && response.status >= 400) return undefined
  const json = jsonOf(exchange)
  // v1 ids are short numbers, so only a confirmation counts as the source of an order's id.
  if (kind === 'ID' && version === 'v1' && String(v1IdIn(json)) !== text) return undefined
  const found = placesIn(json).find(
    ({ value, key }) =>
      (value === text || encodeURIComponent(String(value).toWellFormed()) === text) &&
      (kind === 'OFFER' || /id$|^id_|order/i.test(key)),
  )
  return found?.path
}
