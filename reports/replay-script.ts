import { toCurl, type Variable } from '../fixtures/client/curl.ts'
import type { StoredExchange } from '../fixtures/client/stored.ts'
import { jsonIn } from '../fixtures/read-json.ts'

/** The subject of a script, for its first lines. */
export interface ScriptSubject {
  clause: string
  says: string
  expected?: string | undefined
  observed?: string | undefined
}

/** More steps than a person would follow. */
const MOST_STEPS = 40

const OFFER = /offer:[0-9a-f]{8}/g
const BOOKING_PATH = /\/api\/v2\/bookings\/([^/?#]+)/
const SEARCH_PATH = /\/api\/v2\/hotels\/availability\/([^/?#]+)/
/** Keys that the kit makes up: a repeat needs new ones. Others (empty, 191 bytes long) are the point of a request. */
const OWN_KEY = /^tss-.+-[0-9a-f-]{36}$/
const VARIABLE = /\$([A-Z][A-Z0-9_]*)/

/** A value that one step takes from the answer to an earlier one. */
interface Link extends Variable {
  /** The exchange whose answer shows it. */
  from: StoredExchange
  /** Its place there, as jq writes it. */
  path: string
}

/**
 * Returns a shell script (POSIX sh, curl and jq) that repeats the exchanges of a finding with offers, keys and bookings
 * of its own: each value that the deployment gave out is taken from the answer of the step before. What it booked it
 * cancels at the end.
 *
 * @param shown ids of the finding's exchanges, in the order sent; the last one shows the fault
 * @param pool everything recorded that values may have come from, in the order answered
 * @returns `undefined` where a script cannot repeat it: requests that were under way at once, or a value that no
 *   recorded answer shows
 */
export function replayScript(
  subject: ScriptSubject,
  shown: readonly string[],
  pool: readonly StoredExchange[],
): string | undefined {
  const wanted = pool.filter(({ id }) => shown.includes(id))
  if (wanted.length < shown.length || wanted.length === 0 || overlap(wanted)) return undefined
  const planned = stepsFor(wanted, pool)
  if (planned === undefined) return undefined
  return write(subject, planned.steps, planned.links, wanted.at(-1)!)
}

/** Returns whether any two were under way at the same time. */
function overlap(exchanges: readonly StoredExchange[]): boolean {
  const spans = exchanges.map(({ startedAt, milliseconds }) => ({
    start: Date.parse(startedAt),
    end: Date.parse(startedAt) + milliseconds,
  }))
  spans.sort((a, b) => a.start - b.start)
  // Times are written in whole milliseconds: one that starts as another ends is not beside it.
  return spans.some(({ start }, at) => at > 0 && start + 2 < spans[at - 1]!.end)
}

/** The exchanges that a script has to send, with those that give out what the others need, and the values passed on. */
function stepsFor(
  wanted: readonly StoredExchange[],
  pool: readonly StoredExchange[],
): { steps: StoredExchange[]; links: Link[] } | undefined {
  const order = new Map(pool.map((exchange, at) => [exchange, at]))
  const steps = new Set(wanted)
  const links: Link[] = []
  const names = { OFFER: 0, BOOKING: 0, SEARCH: 0 }
  for (const step of steps) {
    for (const { kind, text, after } of valuesOf(step)) {
      if (links.some(link => link.text === text && link.after === after)) continue
      const source = pool
        .slice(0, order.get(step))
        .map(exchange => ({ exchange, path: pathTo(exchange, text, kind) }))
        .findLast(({ path }) => path !== undefined)
      if (source === undefined) {
        // A made-up id is the point of the request; an offer is never made up as its fingerprint.
        if (kind === 'OFFER') return undefined
        continue
      }
      links.push({
        text,
        ...(after === undefined ? {} : { after }),
        name: `$${kind}_${++names[kind]}`,
        from: source.exchange,
        path: source.path!,
      })
      steps.add(source.exchange)
    }
  }
  if (steps.size > MOST_STEPS) return undefined
  return { steps: [...steps].sort((a, b) => order.get(a)! - order.get(b)!), links }
}

type Kind = 'OFFER' | 'BOOKING' | 'SEARCH'

/** Values of a request that some earlier answer may have given out. */
function valuesOf({ request }: StoredExchange): { kind: Kind; text: string; after?: string }[] {
  const body = request.body?.kind === 'text' ? request.body.text : ''
  const offers = new Set(`${request.path} ${body}`.match(OFFER) ?? [])
  const booking = BOOKING_PATH.exec(request.path)?.[1]
  const search = SEARCH_PATH.exec(request.path)?.[1]
  return [
    ...[...offers].map(text => ({ kind: 'OFFER' as const, text })),
    ...(booking === undefined
      ? []
      : [{ kind: 'BOOKING' as const, text: booking, after: '/api/v2/bookings/' }]),
    ...(search === undefined
      ? []
      : [{ kind: 'SEARCH' as const, text: search, after: '/api/v2/hotels/availability/' }]),
  ]
}

/** Returns where an answer shows a value, as jq writes it. An id is only looked for under a name that ends in `id`. */
function pathTo({ response }: StoredExchange, text: string, kind: Kind): string | undefined {
  if (response?.body?.kind !== 'text' || response.status >= 400 || !response.body.text.includes(text)) {
    // What has changed in price is shown by a refusal.
    if (kind !== 'OFFER' || response?.body?.kind !== 'text') return undefined
  }
  const json = jsonIn(response.body.text)
  if (json === undefined) return undefined
  const waiting: { value: unknown; path: string; key: string }[] = [{ value: json, path: '', key: '' }]
  for (let at = 0; at < waiting.length; at++) {
    const { value, path, key } = waiting[at]!
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const step = Array.isArray(value) ? `[${name}]` : `[${asciiJson(name)}]`
        waiting.push({ value: inner, path: path + step, key: Array.isArray(value) ? key : name })
      }
    } else if (encodeURIComponent(String(value).toWellFormed()) === text || value === text) {
      if (kind === 'OFFER' || /id$/i.test(key)) return `.${path}`
    }
  }
  return undefined
}

/** A name as jq reads it, without characters that a reader cannot see. */
const asciiJson = (name: string): string =>
  JSON.stringify(name).replaceAll(
    /[^ -~]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function write(
  { clause, says, expected, observed }: ScriptSubject,
  steps: readonly StoredExchange[],
  links: readonly Link[],
  last: StoredExchange,
): string {
  const keys = ownKeys(steps)
  const variables: Variable[] = [...links, ...keys]
  const lines = [
    '#!/bin/sh',
    ...comment(`${clause}: ${says}`),
    ...comment(
      'Needs curl and jq, and the credentials named below in the environment. Books, and cancels at the end.',
    ),
    'set -eu',
    ...credentials(steps).map(name => `: "\${${name}:?is the credential of that role}"`),
    'ANSWERS=$(mktemp -d)',
    ...keys.map(({ name }) => `${name.slice(1)}=tss-replay-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')`),
  ]
  for (const [at, step] of steps.entries()) {
    const file = `"$ANSWERS/${at + 1}"`
    const output = ['--output', file, '--write-out', `'%{http_code}\\n'`]
    lines.push(
      '',
      ...comment(
        `${at + 1}. ${step.request.method} ${step.request.path.split('?')[0]}: answered ${outcome(step)} (exchange ${step.id})`,
      ),
    )
    if (step === last) {
      if (expected !== undefined) lines.push(...comment(`Expected: ${expected}`))
      if (observed !== undefined) lines.push(...comment(`Observed: ${observed}`))
    }
    lines.push(toCurl(step, { variables, output }))
    if (step === last) lines.push(`cat ${file}; echo`)
    for (const { from, name, path } of links) {
      if (from === step) lines.push(`${name.slice(1)}=$(jq -r '${path.replaceAll("'", "'\\''")}' ${file})`)
    }
  }
  return `${[...lines, ...cancellations(steps)].join('\n')}\n`
}

/** Cancels what the steps booked, under its own credential. */
function cancellations(steps: readonly StoredExchange[]): string[] {
  return steps.flatMap((step, at) => {
    const { request, response } = step
    const books = request.method === 'POST' && request.path.split('?')[0] === '/api/v2/bookings'
    const authorization = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    if (!books || response === undefined || response.status >= 300 || authorization === undefined) return []
    const file = `"$ANSWERS/${at + 1}"`
    const url = request.url.slice(0, request.url.length - request.path.length)
    return [
      '',
      ...comment(`Cancel what step ${at + 1} booked`),
      `BOOKED=$(jq -r '.booking.booking_id // .booking_id // empty' ${file})`,
      `[ -z "$BOOKED" ] || curl --silent --show-error --output /dev/null --request POST --header "authorization: ${authorization}" '${url.replaceAll("'", "'\\''")}/api/v2/bookings/'"$BOOKED"'/cancel'`,
    ]
  })
}

/** One variable for each key that the kit made up. */
function ownKeys(steps: readonly StoredExchange[]): Variable[] {
  const values = steps.flatMap(({ request }) =>
    request.headers.filter(([name]) => /idempotency-key$/i.test(name)).map(([, value]) => value),
  )
  return [...new Set(values)]
    .filter(value => OWN_KEY.test(value))
    .map((text, at) => ({ text, name: `$KEY_${at + 1}` }))
}

/** Variables of the credentials that the steps send. */
function credentials(steps: readonly StoredExchange[]): string[] {
  const names = steps.flatMap(({ request }) =>
    request.headers
      .filter(([name]) => name.toLowerCase() === 'authorization')
      .flatMap(([, value]) => VARIABLE.exec(value)?.[1] ?? []),
  )
  return [...new Set(names)]
}

const outcome = ({ response, error }: StoredExchange): string =>
  response === undefined ? (error?.kind ?? 'nothing') : String(response.status)

/** Comment lines; a line end in what a deployment sent must not end the comment. */
const comment = (text: string): string[] => [`# ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`]
