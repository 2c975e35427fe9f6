import { ASKS } from '../../../fixtures/examine/situations/situation.ts'
import type { SituationState } from '../../../fixtures/examine/status.ts'
import { collection } from '../../../fixtures/service/openapi/collection.ts'
import { productIds } from '../../../fixtures/service/products.ts'
import { html, type Markup } from '../../../reports/html/markup.ts'
import { count } from '../../../reports/render/plain.ts'
import type { LedExamination } from './examination.ts'
import { streamed } from './live-page.ts'
import type { Parts } from './streams.ts'

/** Returns the page that starts an examination. */
export const examineForm =
  (): Markup => html`<p>The examiner runs the embedded deployment, makes things go wrong on purpose, and judges what your software sends. Nothing leaves this
machine, nothing is booked, and no credential of yours is needed.</p>
<form class="ui" method="post" action="/examine/start">
<label>Name of the client <input name="client" value="client" pattern="[A-Za-z][A-Za-z0-9_\\-]{0,30}" required></label>
<fieldset><legend>Products that it uses</legend>${productIds.map(
    id =>
      html`<label class="choice"><input type="checkbox" name="product" value="${id}"${id === 'v2-transfers' ? html` checked` : undefined}> ${id}</label> `,
  )}</fieldset>
<label>Leave out situations of more minutes than <input name="patience" type="number" min="1" value="10"></label>
<label>Port for the client (0: a free one) <input name="port" type="number" min="0" max="65535" value="0"></label>
<p><button>Start</button></p></form>`

const hidden = (situation: string, act: string, label: string): Markup =>
  html`<form class="ui inline" method="post" action="/examine/situation"><input type="hidden" name="situation" value="${situation}"><button name="act" value="${act}">${label}</button></form>`

function situationPart(led: LedExamination, { situation, state }: SituationState): Markup {
  const { id, provokes, ask, correct, minutes } = situation
  const seen = led.judged.find(one => one.situation === id)?.report
  const found = (seen?.findings ?? []).map(
    ({ clause, expected, observed, message }) =>
      html`<li><strong>${clause}</strong> ${expected === undefined ? message : html`Expected ${expected}; seen: ${observed}.`} <a href="/clause?clause=${clause}">What it asks</a></li>`,
  )
  const shown =
    state === 'waiting' || state === 'under way'
      ? undefined
      : html`<p>${count((seen?.requests.v1 ?? 0) + (seen?.requests.v2 ?? 0), 'request')}. ${found.length === 0 ? sentence(seen?.stopped?.reason ?? 'nothing was found') : undefined}</p><ul class="told">${found}</ul>`
  const buttons = led.over
    ? undefined
    : state === 'under way'
      ? [hidden(id, 'done', 'Finished'), hidden(id, 'cut', 'Skip')]
      : hidden(id, 'begin', state === 'waiting' ? 'Begin' : 'Begin again')
  return html`<section class="situation ${state.replace(' ', '-')}"><h3>${id} <small>${state === 'cut' ? 'skipped' : led.over && state === 'waiting' ? 'not begun' : state}, about ${minutes} min</small></h3>
<p>${sentence(provokes)} Your client is to ${ASKS[ask]}.</p><p>A correct client ${correct}.</p>${shown}${buttons}</section>`
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`

/** Returns the live parts of the page of an examination. `link` returns the address of a run's page. */
export function examineParts(led: LedExamination, link: (run: string) => string): Parts {
  const { client, over, failed, run } = led
  const now = client.situations.find(({ state }) => state === 'under way')?.situation.id
  const strangers = led.strangers()
  const sent = led.requests()
  const state = over
    ? html`<p><strong>${failed ?? 'The examination has ended.'}</strong> ${failed === undefined ? html`<a href="${link(run)}">Show the result</a>` : undefined} <a href="/examine?again=1">Start another one</a></p>`
    : html`<p><strong>${now === undefined ? 'No situation is under way: begin one below.' : `${now} is under way: let your client do what it asks, then press Finished.`}</strong></p>`
  return {
    over,
    parts: {
      state,
      strangers:
        strangers === 0
          ? html``
          : html`<p class="warning">${count(strangers, 'request')} came without the credential that is shown here: is it the one that your client sends?</p>`,
      requests: html`<h2>Requests as they arrive</h2>${
        sent.length === 0
          ? html`<p>None so far.</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table><thead><tr><th scope="col">Time</th><th scope="col">Situation</th><th scope="col">Request</th><th scope="col">Answer</th></tr></thead><tbody>${sent.map(
              ({ arrived, situation, request, response, ending }) =>
                html`<tr><td>${new Date(arrived).toISOString().slice(11, 19)}</td><td>${situation ?? 'none'}</td><td>${request.method} ${pathOf(request.path, client.session.token)}</td><td>${response?.status ?? ending}</td></tr>`,
            )}</tbody></table></div>`
      }`,
      ...Object.fromEntries(
        client.situations.map(row => [`situation-${row.situation.id}`, situationPart(led, row)]),
      ),
    },
  }
}

/** Returns the path without its query, where a client may have put anything. */
const pathOf = (path: string, token: string): string => path.split('?')[0]!.replaceAll(token, '[credential]')

/**
 * The placeholder of an examination's credential, which survives the removal of secrets: once sent, the credential counts as
 * secret, but must still be shown here.
 */
const OWN_CREDENTIAL = '{credential of this examination}'

/** Returns text with the credential of its examination filled in. */
export const withCredential = (text: string, { client }: LedExamination): string =>
  text.replaceAll(OWN_CREDENTIAL, client.session.token)

/**
 * Returns the page of an examination. The examiner made the credential on it for this examination only. No page shows the
 * credential of a deployment.
 */
export function examinePage(led: LedExamination, { parts }: Parts): Markup {
  const { actions } = led
  return html`<dl class="copyable"><dt>Base address</dt><dd><pre id="address" data-copy>${actions.baseUrl}</pre></dd>
<dt>Credential, sent as <code>Authorization: Bearer …</code></dt><dd><pre id="credential" data-copy>${OWN_CREDENTIAL}</pre></dd></dl>
<p>Point your client there. A client with a window (Postman, Bruno, Insomnia) can take <a href="/examine/collection.json" download>a collection</a>: address and
credential are filled in, and ids go from answer to call.</p>
<details><summary>The requests of a flow, to copy</summary>${requestsOf(led)}</details>
${streamed('/examine/events', parts)}
${led.over ? undefined : html`<form class="ui" method="post" action="/examine/end"><button>End and judge</button> <span>writes the run; what was not begun makes it incomplete</span></form>`}`
}

interface Request {
  method: string
  url: { raw: string }
  header: { key: string; value: string }[]
  body?: { raw: string }
}

interface Folder {
  name: string
  item: { name: string; request: Request }[]
}

/** Returns the collection of an examination, with its address and credential filled in. */
export function collectionOf({ products, actions }: LedExamination): { item: Folder[] } {
  const versions = new Set(products.map(product => product.slice(0, 2)))
  const made = collection({ version: versions.size === 2 ? undefined : versions.has('v1') ? 'v1' : 'v2' })
  const variable = [
    { key: 'base_url', value: actions.baseUrl },
    { key: 'token', value: OWN_CREDENTIAL },
  ]
  return { ...made, variable } as unknown as { item: Folder[] }
}

/** Whether one of the products needs a folder of the collection; folders without a product's name belong to all. */
const isWanted = (folder: string, products: readonly string[]): boolean =>
  !productIds.some(id => id === folder) || products.includes(folder)

function requestsOf(led: LedExamination): Markup {
  const folders = collectionOf(led).item.filter(({ name }) => isWanted(name, led.products))
  return html`<p>Each with the credential above, and a body with <code>Content-Type: application/json</code>; <code>{{…}}</code> stands for a value of an earlier answer, and <code>{{$guid}}</code> for a new UUID.</p>${folders.map(
    ({ name, item }) =>
      html`<h2>${name}</h2>${item.map(
        ({ name, request }) =>
          html`<p>${name}</p><pre data-copy tabindex="0">${textOf(request, led.actions.baseUrl)}</pre>`,
      )}`,
  )}`
}

const textOf = ({ method, url, header, body }: Request, baseUrl: string): string =>
  [
    `${method} ${url.raw.replace('{{base_url}}', baseUrl)}`,
    ...header.map(({ key, value }) => `${key}: ${value}`),
    ...(body === undefined ? [] : ['', body.raw]),
  ].join('\n')
