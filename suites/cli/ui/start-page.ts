import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { PROFILES } from '../../../fixtures/ground/record.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { html, type Markup } from '../../../reports/html/head.ts'
import { type ProjectDefinition, preselectedIn } from './definitions.ts'
import type { Job } from './jobs.ts'
import { jobAddress } from './live-page.ts'

/** The areas with clauses about a deployment, in the order of the catalogue. */
export const AREAS: readonly string[] = [
  ...new Set(
    Object.values(CLAUSES)
      .filter(({ side }) => side === 'server')
      .map(({ area }) => area),
  ),
]

/** Returns a field that chooses a definition; if none is preselected, the user must choose one. */
export const definitionField = (
  definitions: readonly ProjectDefinition[],
  chosen: string | undefined,
): Markup =>
  html`<label>Definition <select name="definition" required>${chosen === undefined ? html`<option value="">choose what it is tried on</option>` : undefined}${definitions.map(
    ({ name, is }) =>
      html`<option value="${name}"${name === chosen ? html` selected` : undefined}>${is}</option>`,
  )}</select></label>`

/** Returns the page that starts a run, with the list of commands that pages have started. */
export function startPage(
  definitions: readonly ProjectDefinition[],
  jobs: readonly Job[],
  only: string,
): Markup {
  return html`<form class="ui" method="post" action="/start">
${definitionField(definitions, preselectedIn(definitions)?.name)}
<label>Profile <select name="profile"><option value="">what fits the definition</option>${PROFILES.map(
    name => html`<option>${name}</option>`,
  )}</select></label>
<fieldset><legend>Areas; none for all</legend>${AREAS.map(
    area => html`<label class="choice"><input type="checkbox" name="area" value="${area}"> ${area}</label> `,
  )}</fieldset>
<label>A clause, a prefix (V2-IDEM-*), or an expression, in place of areas <input name="only" value="${only}" autocomplete="off" spellcheck="false"></label>
<p><button>Run</button></p>
</form>
<p>Definitions are those that the project has: modules in this folder that
<code>${commandLine('init')}</code> would write, what <code>.env</code> says, and the embedded deployment, which the kit brings.</p>
${
  jobs.length === 0
    ? undefined
    : html`<h2>Started here</h2><ul>${jobs.map(
        job => html`<li><a href="${jobAddress(job)}">${job.title}</a>: ${job.state}</li>`,
      )}</ul>`
}`
}
