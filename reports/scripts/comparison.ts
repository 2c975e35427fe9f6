import type { StoredExchange } from '../../fixtures/client/stored.ts'
import type { Comparison } from '../../fixtures/comparison.ts'
import { at } from '../../fixtures/contracts/reading.ts'
import { v1IdIn } from '../../fixtures/service/ids.ts'
import { jsonOf, type ScriptPlan, type ScriptSubject } from './plan.ts'

/** How jq tells whether the answer is what was expected. */
export interface ScriptComparison {
  /** A filter that is true of what was expected; its input is an answer of `ANSWER`, its variables are `values`. */
  filter: string
  values: Readonly<Record<string, unknown>>
  /** Other steps, whose answers the filter reads as `$others`. */
  others?: readonly StoredExchange[]
  /** It looks at something that an answer of another status need not have. */
  inBody?: boolean
}

/** Definitions of jq that the filters use. `kind` tells what sort of value it is, whatever its digits. */
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
def said: [.status, (.json | walk(
  if type == "object" then del(.request_id) elif type == "string" then gsub("[0-9]+"; "0") elif type == "number" and . > 999 then "id" else . end))];
def id: booking | if type == "object" then (.booking_id // .id_orden // .id_order) else null end;
def field($name): [.headers | split("\\n")[] | select(ascii_downcase | startswith($name + ":")) | .[($name | length) + 1:] | gsub("^\\\\s+|\\\\s+$"; "")] | if length == 0 then null else join(", ") end;
`

/**
 * Returns how a script compares what it gets with what was expected; `undefined` where only the kit can tell, because
 * the clause is about more than one value of the last answer.
 */
export function comparisonOf(
  { compare, observed = '' }: ScriptSubject,
  { steps, shown }: ScriptPlan,
  pool: readonly StoredExchange[],
): ScriptComparison | undefined {
  const last = steps.at(-1)!
  const stated = compare === undefined ? asThen(observed, last) : stating(compare, last, { pool, shown })
  if (stated === undefined) return undefined
  stated.inBody = ['flag', 'json', 'booking', 'header', 'pdf'].includes(compare?.of ?? '')
  return compare?.not === true ? { ...stated, filter: `(${stated.filter}) | not` } : stated
}

const STATUS = '.status as $s | any($is[]; . == $s or . == "\\($s / 100 | floor)xx")'
/**
 * The field is the one value that was expected, or a list that has all that were: one that is longer is another one, and
 * two times to keep an answer, or `public` beside `private`, take each other back.
 */
const FIELD = `(field($name) // null) as $v | $v != null and ($v | ascii_downcase) as $whole |
  ($whole | split(",") | map(gsub("^ +| +$"; ""))) as $all |
  all($is[]; . as $d | $whole == $d or ($all | index($d)) != null) and
  (any($all[]; . as $d | ($is | index($d)) == null and
    ((startswith("max-age=") and any($is[]; startswith("max-age="))) or (. == "public" and ($is | index("private")) != null))) | not)`

/** What stands in evidence in place of what is secret: of what sort that was does not show. */
const HIDDEN = /\[(?:redacted|private voucher link|credential|traveler data)|offer:[0-9a-f]{8}/

function stating(
  { of, at: name = '', is, type, as, most }: Comparison,
  last: StoredExchange,
  { pool, shown }: { pool: readonly StoredExchange[]; shown: readonly StoredExchange[] },
): ScriptComparison | undefined {
  const path = name
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map(step => (/^\d+$/.test(step) ? Number(step) : step))
  const root = of === 'booking' ? 'booking' : '.json'
  const place = `(${root} | place($path))`
  // What another check has sent only leads there, but for what it booked under a key that is used again.
  const own = shown.filter(({ check }) => check === last.check)
  switch (of) {
    case 'alike':
      return { filter: '[$others[] | said] | unique | length == 1', values: {}, others: own }
    case 'bookings':
      return {
        filter: atMost('map(select(.status < 400) | id | strings, numbers | tostring) | unique'),
        ...{ values: { most }, others: shown },
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
      return is === undefined
        ? { filter: 'field($name) != null', values: { name } }
        : { filter: FIELD, values: { name, is } }
    case 'pdf':
      return { filter: '.text[0:1024] | contains("%PDF-")', values: {} }
    case 'order': {
      const [id] = is ?? []
      const other = pool.find(step => step !== last && String(v1IdIn(jsonOf(step))) === String(id))
      if (id === undefined) return { filter: '.status < 400 and id != null', values: {} }
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
      if (type !== undefined) return { filter: `${place}.value | type == $type`, values: { path, type } }
      if (is !== undefined) return { filter: `${place}.value == $is[0]`, values: { path, is } }
      const seen = jsonOf(last)
      if (seen === undefined || HIDDEN.test(String(at(seen, name)))) return undefined
      // What is wrong with a value shows in what sort of value it is; one like it is as wrong as it was.
      return {
        filter: `${place} | kind != ($seen | place($path) | kind)`,
        values: { path, seen: parentOnly(seen, name) },
      }
    }
  }
}

/** Counts what a filter leaves of the answers. Where that is nothing, nothing follows: `null`. */
const atMost = (filter: string): string =>
  `$others | ${filter} | if length == 0 then null else length <= $most end`

/** Returns what a script has to know of an answer to tell which sort of value stood at a path. */
function parentOnly(json: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter(Boolean)
  let kept = at(json, path)
  for (const [depth, step] of [...steps.entries()].reverse()) {
    const parent = at(json, steps.slice(0, depth).join('.'))
    const there = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
    // Entries before the one in question count, not what they hold.
    if (Array.isArray(parent)) kept = there ? [...Array.from({ length: Number(step) }, () => 0), kept] : []
    else kept = there ? { [step]: kept } : {}
  }
  return kept
}

/** Compares status and error with those of the answer then, where the finding says that they are what was wrong. */
function asThen(observed: string, last: StoredExchange): ScriptComparison | undefined {
  const status = last.response?.status
  const code = at(jsonOf(last), 'error.code') ?? at(jsonOf(last), 'error')
  const outcome = typeof code === 'string' ? `${status} ${code}` : `${status}`
  if (observed !== outcome && observed !== `status ${status}`) return undefined
  return { filter: '.status != $status', values: { status } }
}
