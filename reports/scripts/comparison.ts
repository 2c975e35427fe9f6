import { credentialOf } from '../../fixtures/client/recording/index.ts'
import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { OF_MARKET } from '../../fixtures/contracts/market.ts'
import { at } from '../../fixtures/contracts/reading.ts'
import type { Comparison } from '../../fixtures/ground/comparison.ts'
import { v1IdIn } from '../../fixtures/ground/ids.ts'
import { jsonOf, placesIn, type ScriptPlan, type ScriptSubject, sentText } from './plan.ts'

/** How a script decides with jq whether an answer is as expected. */
export interface ScriptComparison {
  /** A filter that is true for an expected answer. Its input is an answer of `ANSWER`, its variables are `values`. */
  filter: string
  values: Readonly<Record<string, unknown>>
  /** Other steps, whose answers the filter reads as `$others`. */
  others?: readonly StoredExchange[]
}

/** The jq definitions that filters use. `kind` returns the sort of a value, whatever its digits. */
export const JQ_PRELUDE = `def booking: if (.json.booking? | type) == "object" then .json.booking else .json end;
def place($path): reduce $path[] as $step ({there: true, value: .};
  if .there and ((.value | type) == (if ($step | type) == "number" then "array" else "object" end)) and (.value | has($step))
  then {there: true, value: .value[$step]} else {there: false, value: null} end);
def kind: if .there | not then "missing" else .value |
  if type == "string" then (if test("^[A-Za-z_ -]*$") then "word " + . else "text " + (gsub("[0-9]+"; "0") | gsub("[A-Za-z]+"; "a")) end)
  elif type == "number" then (if . == floor then "integer" else "fraction" end)
  elif type == "array" then "list" elif type == "object" then "object" else tojson end end;
def flag($name): (.json[$name]? == true) or (booking | (type == "object") and (.[$name] == true));
def errors: [.json.error?.code?, (.json.error? | strings), .json.message?] | map(select(type == "string"));
def outcome: [.status, if .status < 400 then null else (errors | if length == 0 then null else .[0] | gsub("[0-9]+"; "0") end) end];
def said: [.status, (.json | walk(
  if type == "object" then del(.request_id) elif type == "string" then gsub("[0-9]+"; "0") elif type == "number" and . > 999 then "id" else . end))];
def id: booking | if type == "object" then (.booking_id // .id_orden // .id_order) else null end;
def field($name): [.headers | split("\\n")[] | select(ascii_downcase | startswith($name + ":")) | .[($name | length) + 1:] | gsub("^\\\\s+|\\\\s+$"; "")] | if length == 0 then null else join(", ") end;
`

/**
 * Returns the exchanges of a finding that decide it, in the order of their answers: the last one, and those that it is
 * compared with.
 */
export function comparedIn(
  { compare }: Pick<ScriptSubject, 'compare'>,
  wanted: readonly StoredExchange[],
  pool: readonly StoredExchange[],
): StoredExchange[] {
  const last = wanted.at(-1)!
  const isOfAll = compare?.of === 'alike' || compare?.of === 'bookings' || compare?.most !== undefined
  const others = isOfAll
    ? wanted
    : pool.filter(one => one.id === compare?.as || one === orderIn(compare, last, pool))
  return [...others.filter(other => other !== last), last]
}

/** Returns the exchange that shows the order which the last one was expected to show. */
const orderIn = (
  compare: Comparison | undefined,
  last: StoredExchange,
  pool: readonly StoredExchange[],
): StoredExchange | undefined =>
  compare?.of === 'order' && compare.is !== undefined
    ? pool.find(step => step !== last && String(v1IdIn(jsonOf(step))) === String(compare.is?.[0]))
    : undefined

/**
 * Returns how a script compares its answer with the expected one; `undefined` if only the kit can decide, because
 * the clause concerns more than one value of the last answer.
 */
export function comparisonOf(
  { compare, observed = '' }: ScriptSubject,
  { steps, shown }: ScriptPlan,
  pool: readonly StoredExchange[],
): ScriptComparison | undefined {
  const last = steps.at(-1)!
  const stated =
    compare === undefined ? asThen(observed, last) : stating(compare, last, { pool, shown, steps })
  if (stated === undefined) return undefined
  const { filter, values, others } = stated
  const { of = 'status', is = [], not, most } = compare ?? {}
  const run = outcomeOf(last)
  // The very error that is expected is no doubtful answer.
  const isNamed = of === 'error' && not !== true
  const doubtful = [...(credentialOf(last) === undefined ? [] : [401, 403]), 429, 500, 502, 503, 504]
  return {
    filter: `def kept: ${not === true ? `(${filter}) | not` : filter}; ${most === undefined && of !== 'bookings' ? VERDICT : 'kept'}`,
    values: {
      ...values,
      run,
      isOfBody: ['flag', 'json', 'booking', 'header', 'pdf'].includes(of),
      doubtful: isNamed ? [] : doubtful.filter(status => !is.includes(status)),
      market: isNamed ? [] : OF_MARKET.filter(word => word !== run[1]),
    },
    ...(others && { others }),
  }
}

/** Returns status and error of an answer, as `outcome` of the prelude does. */
function outcomeOf(step: StoredExchange): [status: number | undefined, error: string | null] {
  const { status = 0 } = step.response ?? {}
  const json = jsonOf(step)
  const said = [at(json, 'error.code'), at(json, 'error'), at(json, 'message')].find(
    one => typeof one === 'string',
  )
  const isShown = status >= 400 && typeof said === 'string' && !HIDDEN.test(said)
  return [status, isShown ? said.replaceAll(/[0-9]+/g, '0') : null]
}

/**
 * Judges the last answer: as expected (true), as in the run (false), or neither (null), as when a market refuses the request for a
 * reason of its own.
 */
const VERDICT = `outcome as $now | ($now[0] == $run[0] and ($run[1] == null or $now[1] == $run[1])) as $again |
  ((.status | IN($doubtful[])) or any(errors[]; IN($market[])) or
    ($isOfBody and (.status / 100 | floor) != ($run[0] / 100 | floor))) as $isOther |
  kept | if . == true then ($again or ($isOther | not) | if . then . else null end)
  elif . == false and $again then false else null end`

const STATUS = '.status as $s | any($is[]; . == $s or . == "\\($s / 100 | floor)xx")'
/**
 * The header equals an expected value, or is a list of all of them. A longer list differs: two max-age, no-store
 * beside one, or `public` beside `private`, contradict each other.
 */
const FIELD = `(field($name) // null) as $v | $v != null and ($v | ascii_downcase) as $whole |
  ($whole | split(",") | map(gsub("^ +| +$"; ""))) as $all |
  all($is[]; . as $d | $whole == $d or ($all | index($d)) != null) and
  (any($all[]; . as $d | ($is | index($d)) == null and
    ((test("^(max-age=|no-store$|no-cache$)") and any($is[]; startswith("max-age="))) or (. == "public" and ($is | index("private")) != null))) | not)`

/** A list has members that agree with all of some values in what those name, and none that agrees with one of the others. */
const MEMBERS = `def agrees($want): . as $one | if ($want | type) == "object" then ($one | type) == "object" and
  all($want | to_entries[]; .key as $key | .value == $one[$key]) else $one == $want end;
  (if type == "array" then . else [] end) as $all |
  all($has[]; . as $want | any($all[]; agrees($want))) and all($lacks[]; . as $want | any($all[]; agrees($want)) | not)`

/** Placeholders for secrets in evidence, which hide the sort of the value. */
const HIDDEN = /\[(?:redacted|private voucher link|credential|traveler data)|offer:[0-9a-f]{8}/

/** Returns the steps of a path. */
const stepsOf = (path: string): (string | number)[] =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map(step => (/^\d+$/.test(step) ? Number(step) : step))

function stating(
  { of, at: name = '', is, type, as, most, has = [], lacks = [] }: Comparison,
  last: StoredExchange,
  { pool, shown, steps }: Record<'pool' | 'shown' | 'steps', readonly StoredExchange[]>,
): ScriptComparison | undefined {
  const path = stepsOf(name)
  const root = of === 'booking' ? 'booking' : '.json'
  const place = `(${root} | place($path))`
  const isOfList = has.length + lacks.length > 0
  // Exchanges of other checks only prepare the situation, except bookings under a reused key.
  const own = shown.filter(({ check }) => check === last.check)
  switch (of) {
    case 'place':
      return undefined
    case 'alike':
      return { filter: '[$others[] | said] | unique | length == 1', values: {}, others: own }
    case 'bookings':
      return {
        filter: atMost(
          'map(select(.status < 400) | id | strings, numbers | tostring) | unique',
          // Another of several at once has the key, and is the only booking.
          '(if any(errors[]; IN("IDEMPOTENCY_KEY_REUSED", "BOOKING_IN_PROGRESS")) then true else null end)',
        ),
        values: { most },
        others: shown,
      }
    case 'status':
      return most === undefined
        ? { filter: STATUS, values: { is } }
        : { filter: atMost('map(select(IN(.status; $is[])))'), values: { is, most }, others: own }
    case 'error':
      return { filter: '.status >= 400 and any(errors[]; IN($is[]))', values: { is } }
    case 'flag':
      return { filter: 'flag($name)', values: { name } }
    case 'header':
      if (isOfList) {
        const list = `(field($name) // "" | split(",") | map(gsub("^ +| +$"; "") | select(. != "")))`
        return { filter: `${list} | ${MEMBERS}`, values: { name, has, lacks } }
      }
      return is === undefined
        ? { filter: 'field($name) != null', values: { name } }
        : { filter: FIELD, values: { name, is } }
    case 'pdf':
      return { filter: '.text[0:1024] | contains("%PDF-")', values: {} }
    case 'order': {
      const other = orderIn({ of, ...(is && { is }) }, last, pool)
      if (is === undefined) return { filter: '.status < 400 and id != null', values: {} }
      return other === undefined
        ? undefined
        : { filter: '.status < 400 and id == ($others[0] | id)', values: {}, others: [other] }
    }
    case 'booking':
    case 'json': {
      if (as !== undefined) {
        const other = pool.find(step => step.id === as)
        return other === undefined
          ? undefined
          : { filter: `${place} == ($others[0] | ${place})`, values: { path }, others: [other] }
      }
      // Values of every entry: the kit alone compares them.
      if (is !== undefined && name.includes('[]')) return undefined
      if (isOfList) return { filter: `${place}.value | ${MEMBERS}`, values: { path, has, lacks } }
      if (type !== undefined) return { filter: `${place}.value | type == $type`, values: { path, type } }
      if (is !== undefined) return equal(is[0], { place, path, steps })
      const seen = jsonOf(last)
      if (seen === undefined || HIDDEN.test(String(at(seen, name)))) return undefined
      // The fault shows in the sort of the value; a similar value has the same fault.
      return {
        filter: `${place} | kind != ($seen | place($path) | kind)`,
        values: { path, seen: parentOnly(seen, name) },
      }
    }
  }
}

/** Compares a value: an amount or a day as an earlier answer tells it now, and any other literally. */
function equal(
  value: unknown,
  { place, path, steps }: { place: string; path: readonly unknown[]; steps: readonly StoredExchange[] },
): ScriptComparison | undefined {
  if (HIDDEN.test(JSON.stringify(value))) return undefined
  const isOwn = steps.some(step =>
    sentText(step)
      .split(/[^\w.-]+/)
      .includes(String(value)),
  )
  const isToldAnew = !isOwn && (typeof value === 'number' || /^\d{4}-\d\d-\d\d/.test(String(value)))
  if (isToldAnew)
    for (const other of steps.slice(0, -1)) {
      const from = placesIn(jsonOf(other)).find(one => one.value === value)?.path
      if (from !== undefined)
        return {
          filter: `${place}.value == ($others[0].json | getpath($from))`,
          values: { path, from },
          others: [other],
        }
    }
  // A number that is told nowhere may be one of the document.
  if (isToldAnew && !Number.isInteger(value)) return undefined
  return { filter: `${place}.value == $is[0]`, values: { path, is: [value] } }
}

/** Counts the values that a filter selects from the answers. Without any, nothing follows (`null`), unless the last one says it. */
const atMost = (filter: string, otherwise = 'null'): string =>
  `($others | ${filter} | length) as $count | if $count == 0 then ${otherwise} else $count <= $most end`

/** Returns the part of an answer that a script needs to recognise the sort of value at a path. */
function parentOnly(json: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter(Boolean)
  let kept = at(json, path)
  for (const [depth, step] of [...steps.entries()].reverse()) {
    const parent = at(json, steps.slice(0, depth).join('.'))
    const there = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
    // Only the number of earlier entries matters, not their content.
    if (Array.isArray(parent)) kept = there ? [...Array.from({ length: Number(step) }, () => 0), kept] : []
    else kept = there ? { [step]: kept } : {}
  }
  return kept
}

/** Takes an acceptance for what was expected in place of a refusal, if the finding is about that. */
function asThen(observed: string, last: StoredExchange): ScriptComparison | undefined {
  const status = last.response?.status
  const code = at(jsonOf(last), 'error.code') ?? at(jsonOf(last), 'error')
  // What was to be in an answer that is a success, only the kit knows.
  const isRefusal = status !== undefined && status >= 400
  return isRefusal && (observed === `${status} ${code}` || observed === `status ${status}`)
    ? { filter: '.status < 400', values: {} }
    : undefined
}
