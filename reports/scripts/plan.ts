import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { at } from '../../fixtures/contracts/reading.ts'
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
export interface Day extends Variable {
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
