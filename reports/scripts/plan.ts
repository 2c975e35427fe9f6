import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { at, textOf } from '../../fixtures/contracts/reading.ts'
import { referenceIn, v1IdIn } from '../../fixtures/ground/ids.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import type { Finding } from '../../fixtures/ground/record.ts'
import type { Variable } from '../../fixtures/output/shell.ts'

/** The subject of a script: a finding and its clause. */
export interface ScriptSubject extends Pick<Finding, 'expected' | 'observed' | 'compare' | 'arranged'> {
  clause: string
  says: string
}

/** A value that one step takes from the answer to an earlier one. */
export interface Link extends Variable {
  /** The exchange whose answer shows it. */
  from: StoredExchange
  /** Its place in that answer. */
  path: readonly (string | number)[]
  /** Set if the answer was not stored in full, so that its place is unknown: the number of the offer to take. */
  offer?: number
}

/** The total of an order: the sum of prices that earlier answers show, and what was sent above or below it. */
export interface Total extends Omit<Variable, 'name'> {
  step: StoredExchange
  terms: readonly { from: StoredExchange; path: Link['path']; price: number; times: number }[]
  plus: number
}

/** A day in requests: so many days after one that is asked for, so many years before. */
interface Day extends Variable {
  day: string
  more: number
  years: number
}

/** The requests of a script, and the values it passes on. */
export interface ScriptPlan {
  steps: readonly StoredExchange[]
  /** The steps, with those together that ran concurrently: they are sent concurrently too. */
  groups: readonly (readonly StoredExchange[])[]
  /** The steps that the finding shows. */
  shown: readonly StoredExchange[]
  links: readonly Link[]
  totals: readonly Total[]
  days: readonly Day[]
  /** Values that the script makes up, one for each that the kit made up. */
  own: readonly Variable[]
  /** Reads to repeat until they show the same states at these places. */
  awaited: readonly StoredExchange[]
  states: readonly (readonly string[])[]
}

/** The places of states in answers: those of a booking, of the hotel's number, and of a voucher. */
export const STATES = [['booking', 'status'], ['hcn_status']]
export const STATES_OF_VOUCHER = [...STATES, ['booking', 'voucher', 'status']]

/** Returns the states in an answer. */
export const stateIn = (json: unknown, places: readonly (readonly string[])[]): string =>
  places
    .map(place => at(json, place.join('.')))
    .filter(state => typeof state === 'string')
    .join(' ')

/** A value in an answer, and the object or list that holds it. */
interface Place {
  value: unknown
  path: Link['path']
  key: string
  around?: object
}

/** Yields every value in an answer with its place, outer ones first. */
export function* placesIn(json: unknown): Generator<Place> {
  const waiting: Place[] = [{ value: json, path: [], key: '' }]
  for (let at = 0; at < waiting.length; at++) {
    const { value: around, path, key } = waiting[at]!
    yield waiting[at]!
    if (typeof around !== 'object' || around === null) continue
    const isList = Array.isArray(around)
    for (const [name, value] of Object.entries(around))
      waiting.push({ value, path: [...path, isList ? Number(name) : name], key: isList ? key : name, around })
  }
}

/** Returns whether a request may book something, whatever its method and answer were. */
export function isBooking(step: StoredExchange): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(step.request.method)) return false
  const path = step.request.path.split('?')[0]!
  if (/\/api\/v2\/bookings$|Confirm$/.test(path)) return true
  return step.version === 'v1' && v1IdIn(jsonOf(step)) !== undefined && !/cancel/i.test(path)
}

/** Returns the body of a request as text, or an empty one. */
export const bodyText = ({ request: { body } }: StoredExchange): string =>
  body?.kind === 'text' ? body.text : ''

/** Returns what was sent: path, values of headers, and body. */
export const sentText = (step: StoredExchange): string =>
  [step.request.path, ...step.request.headers.map(([, value]) => value), bodyText(step)].join(' ')

/** Returns the keys of a request in v2, and its reference in v1: under one of them nothing is booked twice. */
export function keysOf(step: StoredExchange): string[] {
  const keys = step.request.headers.filter(([name]) => /^(?:x-)?idempotency-key$/i.test(name))
  const reference = step.version === 'v1' ? referenceIn(bodyText(step)) : undefined
  return [...keys.map(([, value]) => value.toLowerCase()), ...(reference === undefined ? [] : [reference])]
}

/** Returns the JSON body of an answer; `undefined` if it is not JSON or was not stored in full. */
export const jsonOf = ({ response }: StoredExchange): unknown =>
  response?.body?.kind === 'text' ? jsonIn(response.body.text) : undefined

/** The total in the body of an order, as it was sent. */
const TOTAL = /("total_amount"\s*:\s*"?)(-?\d[\d.eE+-]*)/

/**
 * Returns how the total of an order of v1 follows from the prices that its company was told before; `undefined` if it does
 * not. The prices may differ when a script asks for them, and what was sent above or below them stays as much above or below.
 */
export function totalOf(step: StoredExchange, before: readonly StoredExchange[]): Total | undefined {
  const [, after, text] = TOTAL.exec(bodyText(step)) ?? []
  if (step.version !== 'v1' || text === undefined) return undefined
  const body = Object(jsonIn(bodyText(step)))
  const { plu, plu_ad = plu, plu_ch = plu } = body
  const tickets = [
    { code: body.product_id_adult ?? plu_ad, times: Number(body.adults) },
    { code: body.product_id_child ?? plu_ch, times: Number(body.children) },
  ].filter(({ code, times }) => code !== undefined && times > 0)
  const { sender } = step
  const asked = before
    .toReversed()
    .filter(one => /price/i.test(one.request.path) && one.sender.role === sender.role)
    .filter(one => one.sender.tenant === sender.tenant)
  // What a ride is asked by is not shown: by nothing that its order does not say.
  const wanted = tickets.length > 0 ? tickets : [{ code: undefined, times: 1 }]
  const terms = wanted.flatMap(({ code, times }) => {
    for (const from of asked) {
      const by = Object.values(Object(jsonIn(bodyText(from))))
      if (code === undefined ? !by.every(one => Object.values(body).includes(one)) : !by.includes(code))
        continue
      const isOfDay = (row: unknown) =>
        code === undefined ||
        [body.date, body.event_time ?? ''].every(part => textOf(row).includes(textOf(part)))
      const found = placesIn(jsonOf(from)).find(
        ({ value, key, around }) => typeof value === 'number' && /price|total/i.test(key) && isOfDay(around),
      )
      if (found !== undefined) return [{ from, path: found.path, price: Number(found.value), times }]
    }
    return []
  })
  const sum = terms.reduce((all, { price, times }) => all + price * times, 0)
  const plus = Math.round((Number(text) - sum) * 1e6) / 1e6
  // An amount of another size was not made from the price.
  if (terms.length < wanted.length || !(Math.abs(plus) < sum / 2)) return undefined
  return { step, text, after: after!, terms, plus }
}

const DAY = 86_400_000
const YEAR = 365.2425 * DAY
/** A passenger whose birthday is so near to the visit has an age that may be the point. */
const NEAR = 3 * DAY

/** Returns the days in the path and body of a request, by what was sent. */
const daysIn = (step: StoredExchange) =>
  [...`${step.request.path} ${bodyText(step)}`.matchAll(/\b\d{4}-\d\d-\d\d\b/g)]
    .map(([text]) => ({ text, time: Date.parse(text) }))
    .filter(({ text, time }) => new Date(time || 0).toISOString().startsWith(text))

/**
 * Returns the days that requests ask for, and the birthdays near to one of them: a script that runs in a later week asks for days
 * as far ahead, of the same weekday.
 */
export function daysOf(steps: readonly StoredExchange[]): Day[] {
  const found = new Map<string, Omit<Day, 'name'>>()
  for (const step of steps) {
    const days = daysIn(step)
    const ahead = days.filter(({ time }) => time + DAY > Date.parse(step.startedAt))
    for (const { text } of ahead) found.set(text, { text, day: text, more: 0, years: 0 })
    const [visit] = ahead
    for (const { text, time } of visit === undefined ? [] : days) {
      const years = Math.round((visit!.time - time) / YEAR)
      const birthday = Date.parse(`${Number(text.slice(0, 4)) + years}${text.slice(4)}`)
      const more = birthday - visit!.time
      if (years > 0 && Math.abs(more) <= NEAR)
        found.set(text, { text, day: visit!.text, more: more / DAY, years })
    }
  }
  return [...found.values()].map((day, at) => ({ ...day, name: `$DAY_${at + 1}` }))
}
