import { bookingIn } from '../../fixtures/client/money/index.ts'
import { credentialOf, fixedHeadersOf, toCurl } from '../../fixtures/client/recording/index.ts'
import { type StoredExchange, tokenVariable } from '../../fixtures/client/redaction/index.ts'
import { v1IdIn } from '../../fixtures/ground/ids.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import { shellComment, shellWord, type Variable } from '../../fixtures/output/shell.ts'
import { present } from '../render/plain.ts'
import { JQ_PRELUDE, type ScriptComparison } from './comparison.ts'
import {
  isBooking,
  jsonOf,
  keysOf,
  type Link,
  type ScriptPlan,
  type ScriptSubject,
  stateIn,
  type Total,
} from './plan.ts'

/** The interval of polls in seconds, and their maximum number. */
const PAUSE = 2
const LOOKS = 20
/** The longest documented client timeout in seconds. */
const LONGEST_ANSWER = 400

/** The functions at the beginning of every script, after its head. */
const FUNCTIONS = `set -u
cannot() { printf 'could not be tried: %s\\n' "$1"; exit 2; }
for tool in curl jq; do command -v "$tool" > /dev/null || cannot "$tool is not installed"; done
umask 077
ANSWERS=$(mktemp -d) || cannot 'there is no folder for answers'
uuid() { od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | sed 's/\\(.\\{8\\}\\)\\(.\\{4\\}\\)\\(.\\{4\\}\\)\\(.\\{4\\}\\)/\\1-\\2-\\3-\\4-/'; }
UNDONE=' '
status() { cat "$ANSWERS/$1.status" 2> /dev/null || echo 0; }
value() { jq -r --argjson path "$2" 'try (getpath($path) // empty) catch empty' "$ANSWERS/$1" 2> /dev/null; }
state() { jq -r --argjson at "$2" '. as $all | [$at[] | . as $path | try ($all | getpath($path)) catch empty | strings] | join(" ")' "$ANSWERS/$1" 2> /dev/null; }
price() { jq --argjson path "$2" 'try getpath($path) catch empty | numbers' "$ANSWERS/$1" 2> /dev/null; }
live() { jq -e '[.. | objects | .test_mode?] | index(false) != null' "$ANSWERS/$1" > /dev/null 2>&1; }
offer() {
  jq -r --argjson at "$2" '[.. | objects | select((.availability? // "available") == "available") | (.offer_id?, .rate_key?, .rateKey?) | strings]
    | reduce .[] as $one ([]; if index($one) == null then . + [$one] else . end) | .[$at] // empty' "$ANSWERS/$1" 2> /dev/null
}
answer() {
  jq -n --argjson status "$(status "$1")" --rawfile headers "$ANSWERS/$1.headers" --rawfile text "$ANSWERS/$1" \\
    '{status: $status, headers: $headers, text: $text, json: ($text | try fromjson catch null)}'
}
undo() {
  [ -f "$ANSWERS/$1.sent" ] || return 0
  id=$(jq -r 'try (.booking.booking_id // .booking_id // .id_orden // .id_order // empty) catch empty' "$ANSWERS/$1" 2> /dev/null)
  case "$id" in
    '') [ "$(status "$1")" -ge 400 ] || printf 'Look for a booking of step %s: its answer shows none.\\n' "$1"; return 0 ;;
    *[!0-9A-Za-z._-]*) printf 'Cancel by hand what step %s booked: its id cannot be written in an address.\\n' "$1"; return 0 ;;
  esac
  [ -n "$3" ] || { printf 'Cancel order %s of step %s by hand: no request of the run shows how.\\n' "$id" "$1"; return 0; }
  case "$UNDONE" in *" $3/$id "*) return 0 ;; esac
  UNDONE="$UNDONE$3/$id "
  body=$(jq -c "$4" "$ANSWERS/$1")
  code=$(curl --silent --output "$ANSWERS/undo" --write-out '%{http_code}' --max-time ${LONGEST_ANSWER} --proto '=http,https' --request POST \\
    --header "@$ANSWERS/$2" --header "@$ANSWERS/fixed" --header 'content-type: application/json' --data-raw "$body" --url "$3\${5:+/$id/cancel}")
  case "$code" in 2*) still='' ;; *) still='; it may still stand: cancel it by hand' ;; esac
  for number in $6; do case "$(status "$number")" in 2*) still='' ;; esac; done
  printf 'Cancelling %s, which step %s booked: %s%s\\n' "$id" "$1" "$code" "$still"
}`

/** Writes a script that sends the steps of a plan and compares the last answer. */
export function writeScript(
  subject: ScriptSubject,
  plan: ScriptPlan,
  comparison: ScriptComparison | undefined,
  pool: readonly StoredExchange[],
): string {
  const { steps, groups, links, own, days } = plan
  const last = steps.at(-1)!
  const named = steps.flatMap(step =>
    [credentialOf(step) ?? [], credentialsIn(step).map(({ name }) => name)].flat(),
  )
  const credentials = [...new Set(named)].map(name => name.slice(1))
  const fixed = [
    ...new Map(steps.flatMap(fixedHeadersOf).map(([name, variable]) => [variable.slice(1), name])),
  ]
  const bookings = steps.flatMap((step, at) => (isBooking(step) ? [undoLine(step, at + 1, steps, pool)] : []))
  const lines = [
    '#!/bin/sh',
    ...head(subject, plan, [...credentials, ...fixed.map(([variable]) => variable)]).map(shellComment),
    FUNCTIONS,
    ': > "$ANSWERS/fixed"',
    'finish() {',
    '  ended=$?; trap - EXIT HUP INT TERM',
    // Requests that are still running may book.
    ...(groups.length < steps.length ? ['  wait'] : []),
    ...bookings.reverse(),
    '  rm -rf "$ANSWERS"; exit "$ended"',
    '}',
    'trap finish EXIT',
    "trap 'exit 2' HUP INT TERM",
    ...credentials.flatMap(name => [
      `[ -n "\${${name}:-}" ] || cannot ${shellWord(`${name} is not set`)}`,
      `printf 'authorization: Bearer %s\\n' "$${name}" > "$ANSWERS/${name}"`,
    ]),
    ...fixed.flatMap(([variable, name]) => [
      `[ -n "\${${variable}:-}" ] || cannot ${shellWord(`${variable} is not set`)}`,
      `printf '%s: %s\\n' ${shellWord(name)} "$${variable}" | tee "$ANSWERS/${variable}" >> "$ANSWERS/fixed"`,
    ]),
    ...own.map(({ name }) => `${name.slice(1)}=$(uuid)`),
    ...(days.length === 0
      ? []
      : [
          dayFunction(steps[0]!),
          ...days.map(
            ({ name, day, more, years }) =>
              `${name.slice(1)}=$(day ${day} ${more} ${years}) || cannot 'jq tells no days'`,
          ),
        ]),
  ]
  if (comparison === undefined)
    lines.push(`echo ${shellWord(`It shows the answer and does not judge it: ${ONLY_THE_KIT}.`)}`)
  for (const group of groups) {
    for (const step of group) lines.push('', ...stepLines(step, steps.indexOf(step) + 1, plan))
    const numbers = group.map(step => steps.indexOf(step) + 1)
    if (group.length > 1) lines.push(...atOnce(numbers), ...taken(numbers, linksFrom(group, links)))
    else if (!group.includes(last)) lines.push(...carried(group[0]!, numbers[0]!, plan))
    else lines.push(`step_${steps.length}`)
  }
  return `${[...lines, '', ...ending(subject, plan, comparison)].join('\n')}\n`
}

/** The function of days: as far ahead as in the run, in whole weeks. */
const dayFunction = ({ startedAt }: StoredExchange): string =>
  `day() {
  jq -nr --arg of "$1" --argjson more "$2" --argjson years "$3" --arg run ${shellWord(startedAt.slice(0, 10))} --arg now "$(date -u +%Y-%m-%d)" \\
    'def time: . + "T00:00:00Z" | fromdateiso8601; ([(($now | time) - ($run | time)) / 604800 | ceil, 0] | max) * 604800 + ($of | time) + $more * 86400
    | (strftime("%Y") | tonumber - $years | tostring) + strftime("-%m-%d")'
}`

/** Sends steps concurrently, and waits for all of them. */
const atOnce = (numbers: readonly number[]): string[] => [
  `pids=''; ${numbers.map(number => `step_${number} & pids="$pids $!"`).join('; ')}`,
  'for pid in $pids; do wait "$pid" || cannot \'not every request was answered\'; done',
]

/** Returns the values of some steps that later steps need, without duplicates. */
const linksFrom = (group: readonly StoredExchange[], links: ScriptPlan['links']): ScriptPlan['links'] => [
  ...new Map(links.filter(({ from }) => group.includes(from)).map(link => [link.name, link])).values(),
]

/** Returns the command that prints a value of an answer. */
const valueIn = (number: number | string, { path, offer }: Link): string =>
  offer === undefined ? `value ${number} ${shellWord(JSON.stringify(path))}` : `offer ${number} ${offer}`

/** Takes a value from whichever of some steps shows it. */
const taken = (numbers: readonly number[], links: ScriptPlan['links']): string[] =>
  links.flatMap(link => [
    `${link.name.slice(1)}=''`,
    `for number in ${numbers.join(' ')}; do [ -n "${link.name}" ] || ${link.name.slice(1)}=$(${valueIn('"$number"', link)}); done`,
    `[ -n "${link.name}" ] || cannot ${shellWord('no answer shows what later steps need')}`,
  ])

function head(
  { clause, says, expected, observed }: ScriptSubject,
  { steps }: ScriptPlan,
  credentials: readonly string[],
): string[] {
  const places = [...new Set(steps.map(({ request }) => baseOf(request)))]
  const isMinted = steps.some(({ sender }) => sender.tenant !== undefined)
  return present([
    `${clause}: ${says}`,
    expected === undefined ? undefined : `Expected: ${expected}`,
    observed === undefined ? undefined : `Observed: ${observed}`,
    `Sends ${steps.length === 1 ? '1 request' : `${steps.length} requests`} to ${places.join(', ')}, and cancels at its end what it booked.`,
    `Needs curl, jq 1.6 or later${credentials.length === 0 ? '' : `, and in the environment the credential of each role: ${credentials.join(', ')}`}.`,
    isMinted
      ? 'The run had control make a company for this check. Take test credentials of companies that nobody else uses.'
      : undefined,
    'Ends with 1: reproduced, 0: not reproduced, 2: could not be tried.',
  ])
}

const baseOf = ({ url, path }: StoredExchange['request']): string =>
  url.endsWith(path) ? url.slice(0, url.length - path.length) : url

const pathOf = ({ request }: StoredExchange): string => request.path.split('?')[0]!

/** Returns how an order of v1 is cancelled, as far as a recorded cancellation shows it: where, and with which body. */
function cancellationIn(pool: readonly StoredExchange[]): { path: string; body?: string } | undefined {
  const ids = new Set(pool.flatMap(one => v1IdIn(jsonOf(one)) ?? []).map(String))
  // What is sent for hotels and tickets is documented.
  const all = pool.filter(
    one =>
      one.version === 'v1' &&
      /cancel/i.test(pathOf(one)) &&
      !/(?:booking|ticket)Cancelation$/.test(pathOf(one)),
  )
  const shown = all.map(one => {
    const { body } = one.request
    const sentJson = body?.kind === 'text' ? jsonIn(body.text) : undefined
    const [field] = Object.entries(Object(sentJson)).find(([, id]) => ids.has(String(id))) ?? []
    // Written anew: jq takes no carriage return between the words of a program.
    const filled = field && `${ID} as $id | ${JSON.stringify(sentJson)} | .[${JSON.stringify(field)}] = $id`
    return { path: pathOf(one), ...(filled !== undefined && { body: filled }) }
  })
  return shown.find(({ body }) => body !== undefined) ?? shown[0]
}

/** What an answer of v1 shows as the id of its order, to jq. */
const ID = '(.id_orden // .id_order)'

/** Returns the numbers of the steps that cancel what a step booked. */
function cancelling(booked: StoredExchange, steps: readonly StoredExchange[]): number[] {
  const { bookingId } = bookingIn(jsonOf(booked))
  return steps.flatMap((step, at) => {
    const { body } = step.request
    const said = `${pathOf(step)} ${body?.kind === 'text' ? body.text : ''}`
    const isOf = bookingId !== undefined && said.split(/[^\w.-]+/).includes(bookingId)
    return /cancel/i.test(pathOf(step)) && isOf ? [at + 1] : []
  })
}

/** Returns the line that cancels what a step booked, with the same credential. */
function undoLine(
  step: StoredExchange,
  number: number,
  steps: readonly StoredExchange[],
  pool: readonly StoredExchange[],
): string {
  const path = pathOf(step)
  const isV2 = path.endsWith('/api/v2/bookings')
  const shown = isV2 || /(?:booking|ticket)Confirm$/.test(path) ? undefined : cancellationIn(pool)
  const guessed = /Confirm$/.test(path) ? path.replace(/Confirm$/, 'Cancelation') : undefined
  const cancelPath = isV2 ? path : (shown?.path ?? guessed)
  const body = isV2 ? '{}' : (shown?.body ?? '{id_orden, id_order} | with_entries(select(.value != null))')
  const address = cancelPath === undefined ? '' : baseOf(step.request) + cancelPath
  const file = credentialOf(step)?.slice(1) ?? 'none'
  const given = [address, body, isV2 ? 'path' : '', cancelling(step, steps).join(' ')]
  return `  undo ${number} ${file} ${given.map(word => shellWord(word)).join(' ')}`
}

/** Returns the variable of a credential that a request had in another place than its own, or in another form. */
function credentialsIn({ request: { path, headers, body }, sender }: StoredExchange): Variable[] {
  const sent = [path, ...headers.map(([, value]) => value), body?.kind === 'text' ? body.text : ''].join('\n')
  const text = '[credential]'
  return sent.includes(text) ? [{ text, name: `$${tokenVariable(sender.role)}` }] : []
}

/** Returns how a total is made of the prices that answers show, to jq inside double quotes. */
const sumOf = ({ terms, plus }: Total, steps: readonly StoredExchange[]): string => {
  const prices = terms.map(
    ({ from, path, times }) =>
      `$(price ${steps.indexOf(from) + 1} ${shellWord(JSON.stringify(path))}) * ${times}`,
  )
  // Amounts have at most six decimals.
  return `(${[...prices, plus].join(' + ')}) * 1000000 | round / 1000000`
}

/** Returns the function of a step, with its comments. */
function stepLines(
  step: StoredExchange,
  number: number,
  { steps, links, totals, own, days }: ScriptPlan,
): string[] {
  const before = new Set(steps.slice(0, number - 1))
  const total = totals.find(one => one.step === step)
  const file = `"$ANSWERS/${number}`
  const output = [
    ...['--max-time', String(LONGEST_ANSWER), '--output', `${file}"`, '--dump-header', `${file}.headers"`],
    ...['--write-out', "'%{http_code}'"],
  ]
  const command = toCurl(step, {
    variables: [
      ...links.filter(({ from }) => before.has(from)),
      ...(total === undefined ? [] : [{ ...total, name: '$TOTAL' }]),
      ...own,
      ...days,
      ...credentialsIn(step),
    ],
    output,
    secret: name => `"@$ANSWERS/${name.slice(1)}"`,
  })
  const title = `${number}. ${step.request.method} ${pathOf(step)}`
  const then = step.response === undefined ? (step.error?.kind ?? 'nothing') : String(step.response.status)
  return [
    shellComment(`${title}: answered ${then} (exchange ${step.id})`),
    `step_${number}() {`,
    ...(total === undefined
      ? []
      : [
          `  TOTAL=$(jq -n "${sumOf(total, steps)}" 2> /dev/null) || cannot 'the prices that an order needs were not shown'`,
        ]),
    ...(isBooking(step) ? [`  : > ${file}.sent"`] : []),
    `  ${command} > ${file}.status" || cannot ${shellWord(`${title} was not answered`)}`,
    `  printf '%s: %s\\n' ${shellWord(title)} "$(status ${number})"`,
    ...(isBooking(step) && bookingIn(jsonOf(step)).testMode !== false
      ? [`  ! live ${number} || cannot 'its credential is live, so it books nothing more'`]
      : []),
    '}',
  ]
}

/** Returns whether a request books under a key or reference under which an earlier step has booked. */
function isRepeat(step: StoredExchange, before: readonly StoredExchange[]): boolean {
  const booked = before.filter(one => isBooking(one) && (one.response?.status ?? 400) < 400)
  const taken = new Set(booked.flatMap(keysOf))
  return isBooking(step) && keysOf(step).some(key => taken.has(key))
}

/** Sends a step, waits for the state that it showed, and takes the values from its answer that later ones need. */
function carried(
  step: StoredExchange,
  number: number,
  { steps, links, awaited, states }: ScriptPlan,
): string[] {
  const needed = linksFrom([step], links)
  const then = step.response?.status ?? 400
  // A mended service refuses a repeat that booked again, which changes nothing.
  const refused = isRepeat(step, steps.slice(0, number - 1)) ? 429 : 400
  const accepted = [
    // A read only has to show what later steps need.
    ...(then < 400 && step.request.method !== 'GET'
      ? [
          `[ "$(status ${number})" -lt ${refused} ] || cannot ${shellWord(`step ${number} was refused, and was not in the run`)}`,
        ]
      : []),
    ...(then < 400 && then !== 202 && isBooking(step)
      ? [
          `[ "$(status ${number})" -ne 202 ] || cannot ${shellWord(`the booking of step ${number} is pending, and was not in the run`)}`,
        ]
      : []),
  ]
  const values = needed.map(link => `${link.name.slice(1)}=$(${valueIn(number, link)})`)
  const state = awaited.includes(step) ? stateIn(jsonOf(step), states) : undefined
  const there = [
    ...needed.map(({ name }) => `[ -n "${name}" ]`),
    ...(state === undefined
      ? []
      : [`[ "$(state ${number} ${shellWord(JSON.stringify(states))})" = ${shellWord(state)} ]`]),
  ].join(' && ')
  const lacks =
    state === undefined
      ? 'does not show what later steps need'
      : `does not come to show "${state}", as in the run`
  const without = `cannot ${shellWord(`the answer to step ${number} ${lacks}`)}`
  if (there === '') return [`step_${number}`, ...accepted]
  if (isBooking(step)) return [`step_${number}`, ...accepted, ...values, `{ ${there}; } || ${without}`]
  // A search may still be running, and a booking pending.
  return [
    'looks=0',
    `until ${[`step_${number}`, ...values, there].join('; ')}; do`,
    `  case "$(status ${number})" in 401 | 403) cannot ${shellWord(`the credential of step ${number} may not do that`)} ;; esac`,
    `  looks=$((looks + 1)); [ "$looks" -lt ${LOOKS} ] || ${without}`,
    `  sleep ${PAUSE}`,
    'done',
    ...accepted,
  ]
}

const ONLY_THE_KIT = 'more than one value tells whether the clause is kept, so only the kit can'

/** Compares the answers and prints the result. */
function ending(
  { expected, observed }: ScriptSubject,
  { steps, groups, own, days }: ScriptPlan,
  comparison: ScriptComparison | undefined,
): string[] {
  const number = steps.length
  const then = steps.at(-1)!.response?.status ?? 0
  const told = present([
    `head -c 2000 "$ANSWERS/${number}"; echo`,
    expected && `printf 'Expected: %s\\n' ${shellWord(expected)}`,
    observed && `printf 'Observed in the run: %s\\n' ${shellWord(observed)}`,
    then === 429
      ? undefined
      : `[ "$(status ${number})" -ne 429 ] || cannot 'the rate limit is reached: wait a minute'`,
  ])
  const { others = [] } = comparison ?? {}
  const numbers = others.map(other => steps.indexOf(other) + 1)
  if (comparison === undefined || numbers.includes(0)) {
    return [...told, `cannot ${shellWord(`compare this answer with what was expected: ${ONLY_THE_KIT}`)}`]
  }
  const byChance = groups.length < steps.length
  const other = shellWord(
    then === 429
      ? 'it needs a credential at its rate limit: send with it until 429 is answered, and try again within a minute'
      : 'this answer is neither as expected nor as in the run',
  )
  const values = Object.entries(comparison.values).map(
    ([name, value]) => `--argjson ${name} ${shellWord(JSON.stringify(value), [...own, ...days])}`,
  )
  return [
    ...told,
    ...[number, ...numbers].map(
      (each, at) =>
        `answer ${each} >> "$ANSWERS/${at === 0 ? 'last' : 'others'}.json" || cannot 'an answer cannot be read'`,
    ),
    `kept=$(jq ${numbers.length === 0 ? '' : '--slurpfile others "$ANSWERS/others.json" '}${values.join(' ')} ${shellWord(`${JQ_PRELUDE}${comparison.filter}`)} "$ANSWERS/last.json")`,
    'case "$kept" in',
    `  true) echo 'not reproduced${byChance ? ': whether concurrent requests overlap is chance, so try again' : ''}'; exit 0 ;;`,
    "  false) echo 'reproduced'; exit 1 ;;",
    `  *) cannot ${other} ;;`,
    'esac',
  ]
}
