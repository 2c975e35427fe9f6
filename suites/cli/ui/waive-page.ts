import { html, type Markup } from '../../../reports/html/head.ts'
import type { Change } from './waive.ts'

interface WaiverForm {
  file: string
  clause: string
  /** The message of the finding, if the form was opened from one. */
  message?: string | undefined
  values: Readonly<Record<string, string>>
}

export function waivePage({ file, clause, message, values }: WaiverForm): Markup {
  return html`${message === undefined ? undefined : html`<p>${message}</p>`}
<p>An owner answers for the finding until a date: it stays in every report, and does not turn the gate red. The entry goes into <code>${file}</code>; the
change is shown first.</p>
<form class="ui" method="post" action="/waive"><input type="hidden" name="clause" value="${clause}">
<label>Who answers for it <input name="owner" required maxlength="200" value="${values.owner ?? ''}"></label>
<label>Why <input name="reason" required maxlength="1000" value="${values.reason ?? ''}"></label>
<label>Last day <input name="expires" type="date" required value="${values.expires ?? ''}"></label>
<label>Only findings whose message holds this text (empty: all of the clause) <input name="matching" maxlength="1000" value="${values.matching ?? ''}"></label>
<p><button>Show the change</button></p></form>`
}

/** Returns the page that shows the change to the file, with the button that writes it. */
export function changePage(form: WaiverForm, { lines }: Change, fingerprint: string): Markup {
  const hidden = { ...form.values, clause: form.clause, seen: fingerprint }
  return html`<p><code>${form.file}</code> becomes:</p>
<pre class="change" tabindex="0">${lines.map(({ mark, text }) =>
    mark === ' '
      ? html`  ${text}\n`
      : mark === '+'
        ? html`<ins>+ ${text}</ins>\n`
        : html`<del>- ${text}</del>\n`,
  )}</pre>
<form class="ui" method="post" action="/waive">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
<p><button>Write it</button></p></form>`
}
