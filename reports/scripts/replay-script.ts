import type { StoredExchange } from '../../fixtures/client/stored.ts'
import { v1IdIn } from '../../fixtures/service/ids.ts'
import { comparisonOf } from './comparison.ts'
import { jsonOf, type Link, type ScriptPlan, type ScriptSubject } from './plan.ts'
import { writeScript } from './text.ts'

/** More steps than a person would follow. */
const MOST_STEPS = 40

/** Offers and rate keys as they are stored; keys and references that the kit makes up; what v1 and v2 call by number. */
const OFFER = /offer:[0-9a-f]{8}/g
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const OWN_KEY = new RegExp(UUID, 'g')
const OWN = new RegExp(`(?<=tss-(?:[\\w.]+-)*)${UUID}`, 'g')
const IN_PATH = /\/api\/v2\/(bookings|hotels\/availability)\/([^/?#]+)/
const NAMED_ID = /((?:[?&]|")(?:id|\w*_id|id_\w+|order\w*)(?:=|"\s*:\s*"?))([\w.-]+)/g

/**
 * Returns a shell script (POSIX sh, curl and jq) that repeats the exchanges of a finding with offers, keys and bookings
 * of its own, compares the last answer with what was expected, and cancels what it booked. It ends with 1 where the fault
 * is reproduced, with 0 where it is not, and with 2 where it could not be tried.
 *
 * @param shown ids of the finding's exchanges, in the order sent; the last one shows the fault
 * @param pool everything recorded that values may have come from, in the order answered
 * @returns `undefined` where a script cannot repeat it: a request that was not stored whole, or an offer that no recorded
 *   answer can have shown
 */
export function replayScript(
  subject: ScriptSubject,
  shown: readonly string[],
  pool: readonly StoredExchange[],
): string | undefined {
  const wanted = pool.filter(({ id }) => shown.includes(id))
  if (wanted.length < shown.length || wanted.length === 0) return undefined
  const plan = planFor(wanted, pool)
  if (plan === undefined || !plan.steps.every(isWhole)) return undefined
  return writeScript(subject, plan, comparisonOf(subject, plan, pool))
}

/** Returns what a script may draw from: all that a check sent, and what its finding cites of others, who share searches. */
export function poolOf(sent: readonly StoredExchange[], cited: readonly StoredExchange[]): StoredExchange[] {
  const known = new Set(sent.map(({ id }) => id))
  return [...cited.filter(({ id }) => !known.has(id)), ...sent]
}

const isWhole = ({ request: { body } }: StoredExchange): boolean =>
  body === null || (body.kind === 'text' && body.cut === undefined)

const endOf = ({ startedAt, milliseconds }: StoredExchange): number => Date.parse(startedAt) + milliseconds

/** Returns steps in the order answered, with those of a finding together that were under way at the same time. */
function grouped(steps: readonly StoredExchange[], shown: readonly StoredExchange[]): StoredExchange[][] {
  const groups: StoredExchange[][] = []
  for (const step of steps) {
    const group = groups.at(-1)
    // Times are written in whole milliseconds: one that starts as another ends is not beside it.
    const starts = Date.parse(step.startedAt) + 2
    const isBeside = (other: StoredExchange) => shown.includes(other) && starts < endOf(other)
    if (shown.includes(step) && group?.some(isBeside)) group.push(step)
    else groups.push([step])
  }
  return groups
}

/** Returns the exchanges that a script sends, with those that give out what others need, and the values passed on. */
function planFor(wanted: readonly StoredExchange[], pool: readonly StoredExchange[]): ScriptPlan | undefined {
  const order = new Map(pool.map((exchange, at) => [exchange, at]))
  const steps = new Set(wanted)
  const links: Link[] = []
  const names = { OFFER: 0, ID: 0 }
  for (const step of steps) {
    for (const { kind, text, after } of valuesOf(step)) {
      // What was cancelled by then has to be cancelled by then.
      if (kind === 'ID')
        for (const other of pool.slice(0, order.get(step)))
          if (hasCancelled(other, step, text)) steps.add(other)
      const isKnown = ({ from, ...link }: Link) =>
        link.text === text && link.after === after && order.get(from)! < order.get(step)!
      if (links.some(isKnown)) continue
      // A later answer may only repeat what its own request said.
      const source = pool
        .slice(0, order.get(step))
        .map(exchange => ({ exchange, path: pathTo(exchange, text, kind) }))
        .find(({ path }) => path !== undefined)
      if (source === undefined) {
        // A made-up id is the point of the request; an offer is never made up as its fingerprint.
        if (kind !== 'OFFER') continue
        const from = pool.slice(0, order.get(step)).findLast(other => mayHaveShown(other, step))
        if (from === undefined) return undefined
        const offer = links.filter(link => link.from === from && link.offer !== undefined).length
        links.push({ text, name: `$${kind}_${++names[kind]}`, from, path: [], offer })
        steps.add(from)
        continue
      }
      const known = links.find(link => link.text === text && link.from === source.exchange)
      links.push({
        text,
        ...(after === undefined ? {} : { after }),
        name: known?.name ?? `$${kind}_${++names[kind]}`,
        from: source.exchange,
        path: source.path!,
      })
      steps.add(source.exchange)
    }
  }
  if (steps.size > MOST_STEPS) return undefined
  const inOrder = [...steps].sort((a, b) => order.get(a)! - order.get(b)!)
  const made = new Set(inOrder.flatMap(madeUp))
  return {
    steps: inOrder,
    groups: grouped(inOrder, wanted),
    shown: wanted,
    links,
    own: [...made].map((text, at) => ({ text, name: `$OWN_${at + 1}` })),
  }
}

type Kind = 'OFFER' | 'ID'

const bodyText = ({ request: { body } }: StoredExchange): string => (body?.kind === 'text' ? body.text : '')

const sentText = (step: StoredExchange): string =>
  [step.request.path, ...step.request.headers.map(([, value]) => value), bodyText(step)].join(' ')

/** What the kit made up of a request: its keys, and whatever it marks as its own. */
const madeUp = (step: StoredExchange): string[] => [
  ...step.request.headers.flatMap(([name, value]) =>
    /^idempotency-key$/i.test(name) ? (value.match(OWN_KEY) ?? []) : [],
  ),
  ...(sentText(step).match(OWN) ?? []),
]

/** Values of a request that some earlier answer may have given out. */
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

/** Returns whether an exchange has cancelled what a step of the same version names by this id. */
const hasCancelled = (exchange: StoredExchange, step: StoredExchange, id: string): boolean =>
  exchange.version === step.version &&
  /cancel/i.test(exchange.request.path) &&
  (exchange.response?.status ?? 500) < 300 &&
  valuesOf(exchange).some(({ kind, text }) => kind === 'ID' && text === id)

/** Returns whether an answer of which only a part was stored had offers for the sender of a request. */
const mayHaveShown = ({ response, sender }: StoredExchange, step: StoredExchange): boolean =>
  response?.body?.kind === 'text' &&
  response.body.cut !== undefined &&
  response.body.text.search(OFFER) >= 0 &&
  (sender.tenant ?? sender.role) === (step.sender.tenant ?? step.sender.role)

/** Returns where an answer shows a value. An id of v2 is only looked for under a name that ends in `id`. */
function pathTo(exchange: StoredExchange, text: string, kind: Kind): Link['path'] | undefined {
  const { response, version } = exchange
  if (response?.body?.kind !== 'text' || !response.body.text.includes(text)) return undefined
  // What has changed in price is shown by a refusal.
  if (kind !== 'OFFER' && response.status >= 400) return undefined
  const json = jsonOf(exchange)
  // Numbers of v1 are short: only a confirmation gives out those of orders.
  if (kind === 'ID' && version === 'v1' && String(v1IdIn(json)) !== text) return undefined
  const waiting: { value: unknown; path: Link['path']; key: string }[] = [{ value: json, path: [], key: '' }]
  for (let at = 0; at < waiting.length; at++) {
    const { value, path, key } = waiting[at]!
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value)
      for (const [name, inner] of Object.entries(value)) {
        waiting.push({
          value: inner,
          path: [...path, isList ? Number(name) : name],
          key: isList ? key : name,
        })
      }
    } else if (value === text || encodeURIComponent(String(value).toWellFormed()) === text) {
      if (kind === 'OFFER' || /id$|^id_|order/i.test(key)) return path
    }
  }
  return undefined
}
