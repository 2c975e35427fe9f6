import { ASKS, type Situation } from '../../../fixtures/examine/situations/situation.ts'
import { productIds } from '../../../fixtures/ground/products.ts'
import { collection } from '../../../fixtures/service/openapi/operations.ts'
import { html, type Markup, wordIn } from '../../../reports/html/head.ts'
import { count } from '../../../reports/render/plain.ts'
import { exercisedText } from '../../../reports/site/overview-page.ts'
import { minutesAndSeconds } from '../../../reports/terminal/progress.ts'
import type { SituationState } from '../clients/conduct-examination.ts'
import type { LedExamination } from './examination.ts'
import { type Runs, streamed } from './live-page.ts'
import type { Parts } from './streams.ts'

/** Returns the page that starts an examination. */
export const examineForm =
  (): Markup => html`<p>The examiner runs the embedded deployment, makes things go wrong on purpose, and judges what your software sends. Nothing leaves this
machine, nothing is booked, and no credential of yours is needed.</p>
<form class="ui" method="post" action="/examine/start">
<fieldset><legend>Products that it uses</legend>${productIds.map(
    id =>
      html`<label class="choice"><input type="checkbox" name="product" value="${id}"${id === 'v2-transfers' ? html` checked` : undefined}> ${id}</label> `,
  )}</fieldset>
<p><button>Start</button></p></form>`

const act = (situation: string, name: string, label: string, quiet = false): Markup =>
  html`<form class="ui inline" method="post" action="/examine/situation"><input type="hidden" name="situation" value="${situation}"><button name="act" value="${name}"${quiet ? html` class="quiet"` : undefined}>${label}</button></form>`

/** Returns what a situation provokes, what the client is to do, and what a correct one does. */
const asked = ({ provokes, ask, correct }: Situation): Markup =>
  html`<p>${sentence(provokes)} <strong>Your client is to ${ASKS[ask]}.</strong></p><p class="note">A correct client ${correct}.</p>`

/** The form that ends an examination. */
const END = html`<form class="ui row" method="post" action="/examine/end"><button class="quiet">End and judge</button> <span>writes the run; what was not begun makes it incomplete</span></form>`

/** Returns the situation to look at: the one that is under way, or else the next one to begin. */
function currentPart({ situations, over }: LedExamination): Markup {
  if (over) return html``
  const find = (wanted: SituationState['state']) => situations.find(({ state }) => state === wanted)
  const underWay = find('under way')
  const shown = underWay ?? find('waiting')
  if (shown === undefined)
    return html`<section class="current"><h2>All situations are over</h2><p>What it comes to is judged at its end.</p>${END}</section>`
  const { id, minutes } = shown.situation
  return html`<section class="current${underWay === undefined ? '' : ' under-way'}"><h2>${underWay === undefined ? 'Next: ' : 'Now: '}${id} <small>about ${minutesAndSeconds(60 * minutes)}</small></h2>
${asked(shown.situation)}${
  underWay === undefined
    ? act(id, 'begin', 'Begin')
    : html`${act(id, 'done', 'Finished')}${act(id, 'cut', 'Skip', true)}`
}
${END}</section>`
}

const MARKS: Readonly<Record<SituationState['state'], string>> = {
  waiting: '○',
  'under way': '◐',
  done: '●',
  cut: '–',
}

/** Returns one line of the list of situations, which unfolds to what it is about and what was found. */
function situationPart(led: LedExamination, { situation, state }: SituationState): Markup {
  const { id, minutes } = situation
  const seen = led.judged().find(one => one.situation === id)?.report
  const findings = seen?.findings ?? []
  const isOver = state === 'done' || state === 'cut'
  const alike = Map.groupBy(findings, ({ clause, expected, observed, message }) =>
    JSON.stringify([clause, expected ?? message, observed]),
  )
  const found = [...alike.values()].map(([finding, ...more]) => {
    const { clause, expected, observed, message } = finding!
    return html`<li><strong>${clause}</strong> ${expected === undefined ? message : html`Expected ${expected}; seen: ${observed}.`}${more.length === 0 ? '' : ` ${count(more.length + 1, 'time')}.`}</li>`
  })
  const sent = (seen?.requests.v1 ?? 0) + (seen?.requests.v2 ?? 0)
  const shown = isOver
    ? html`<p>${count(sent, 'request')}. ${found.length === 0 ? sentence(seen?.stopped?.reason ?? 'nothing was found') : undefined}</p><ul class="told">${found}</ul>`
    : undefined
  const word = state === 'cut' ? 'skipped' : led.over && state === 'waiting' ? 'not begun' : state
  const result = findings.length === 0 ? '' : `, ${count(findings.length, 'finding')}`
  const isNext = led.situations.find(row => row.state === 'waiting')?.situation.id === id
  const begin =
    led.over || state === 'under way' || isNext
      ? undefined
      : act(id, 'begin', state === 'waiting' ? 'Begin this one' : 'Begin again', true)
  return html`<details class="situation ${state.replace(' ', '-')}${findings.length > 0 ? ' broke-here' : ''}"${findings.length > 0 ? html` open` : undefined}><summary><span class="marks" aria-hidden="true">${findings.length > 0 ? '✕' : MARKS[state]}</span> ${id} <small>${word}, about ${minutesAndSeconds(60 * minutes)}${result}</small></summary>
${shown}${asked(situation)}${begin}</details>`
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`

/** Returns the live parts of the page of an examination. `runs` finds its run once it has ended. */
export function examineParts(led: LedExamination, runs: Runs): Parts {
  const { situations, over } = led
  const strangers = led.strangers()
  return {
    over,
    parts: {
      state: stateOf(led, runs),
      strangers:
        strangers === 0
          ? html``
          : html`<p class="warning">${count(strangers, 'request')} came without the credential that is shown here: is it the one that your client sends?</p>`,
      current: currentPart(led),
      requests: requestsPart(led),
      ...Object.fromEntries(
        situations.map(row => [`situation-${row.situation.id}`, situationPart(led, row)]),
      ),
    },
  }
}

function stateOf({ situations, over, failed, run }: LedExamination, { link, find }: Runs): Markup {
  const again = html`<a href="/examine?again=1">Start another one</a>`
  if (over) {
    const result = find(run)
    return html`<div class="result tone-${result?.tone ?? 'unseen'}">${
      result === undefined
        ? undefined
        : html`<p class="verdict-word">${wordIn(result.tone, result.word)}</p><p>${count(result.broken.length, 'clause')} broken, ${exercisedText(result)} exercised.</p>`
    }<p>${failed ?? 'The examination has ended.'} ${again}</p>${failed === undefined ? html`<p><a class="button" href="${link(run)}">Open report</a></p>` : undefined}</div>`
  }
  const now = situations.find(({ state }) => state === 'under way')?.situation.id
  const ended = situations.filter(({ state }) => state === 'done' || state === 'cut').length
  return html`<p><strong>${now === undefined ? 'No situation is under way.' : `${now} is under way: let your client do what it asks, then press Finished.`}</strong> ${ended} of ${count(situations.length, 'situation')} over.</p>`
}

function requestsPart(led: LedExamination): Markup {
  const sent = led.requests()
  return html`<h2>Requests as they arrive</h2>${
    sent.length === 0
      ? html`<p class="note">None so far.</p>`
      : html`<div class="scroll arriving" tabindex="0" role="region" aria-label="Requests"><table><thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Answer</th><th scope="col" class="in">Situation</th></tr></thead><tbody>${sent.map(
          ({ arrived, situation, request, response, ending }) =>
            html`<tr><td class="at">${new Date(arrived).toISOString().slice(11, 19)}</td><td>${request.method} ${pathOf(request.path, led.session.token)}</td><td>${response?.status ?? ending}</td><td class="in">${situation ?? 'none'}</td></tr>`,
        )}</tbody></table></div>`
  }`
}

/** Returns the path without its query, where a client may have put anything. */
const pathOf = (path: string, token: string): string => path.split('?')[0]!.replaceAll(token, '[credential]')

/**
 * The placeholder of an examination's credential, which survives the removal of secrets: once sent, the credential counts as
 * secret, but must still be shown here.
 */
const OWN_CREDENTIAL = '{credential of this examination}'

/** Returns text with the credential of its examination filled in. */
export const withCredential = (text: string, { session }: LedExamination): string =>
  text.replaceAll(OWN_CREDENTIAL, session.token)

/**
 * Returns the page of an examination. The examiner made the credential on it for this examination only. No page shows the
 * credential of a deployment.
 */
export function examinePage(led: LedExamination, { parts }: Parts): Markup {
  const situations = led.situations.map(({ situation }) => `situation-${situation.id}`)
  return html`<dl class="copyable"><div><dt>Base address</dt><dd><pre id="address" data-copy>${led.baseUrl}</pre></dd></div>
<div><dt>Credential, sent as <code>Authorization: Bearer …</code></dt><dd><pre id="credential" data-copy>${OWN_CREDENTIAL}</pre></dd></div></dl>
<p>Point your client there. A client with a window (Postman, Bruno, Insomnia) can take <a href="/examine/collection.json" download>a collection</a>: address and
credential are filled in, and ids go from answer to call.</p>
${streamed('/examine/events', parts, [['state', 'strangers', 'current'], ['requests'], situations])}`
}

/** Returns the collection of an examination, with its address and credential filled in. */
export function collectionOf({ products, baseUrl }: LedExamination): object {
  const versions = new Set(products.map(product => product.slice(0, 2)))
  const made = collection({ version: versions.size === 2 ? undefined : versions.has('v1') ? 'v1' : 'v2' })
  const variable = [
    { key: 'base_url', value: baseUrl },
    { key: 'token', value: OWN_CREDENTIAL },
  ]
  return { ...made, variable }
}
