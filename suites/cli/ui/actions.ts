import type { Finding } from '../../../fixtures/ground/record.ts'
import { noteOfRun } from '../../../fixtures/run/run-folder.ts'
import { scenarioOf } from '../../../reports/findings/command-to-see-again.ts'
import { findRun, type History } from '../../../reports/history/history.ts'
import { html, type Markup } from '../../../reports/html/head.ts'
import type { Actions, Site, Target } from '../../../reports/site/overview-page.ts'
import type { ProjectDefinition } from './definitions.ts'
import { definitionField } from './start-page.ts'

/** Returns the address of a page: its name, and its subject in the query. */
export function linkTo(target: Target): string {
  const { page, ...about } = target
  if (page === 'overview') return '/'
  if (page === 'style') return '/style.css'
  if (page === 'script') return '/site.js'
  return Object.keys(about).length === 0 ? `/${page}` : `/${page}?${new URLSearchParams(about)}`
}

/** The query parameters of each page. */
const ABOUT = {
  overview: [],
  run: ['run'],
} as const satisfies Partial<Record<Target['page'], readonly string[]>>

/** The names of the pages. */
export const PAGES = Object.keys(ABOUT) as (keyof typeof ABOUT)[]

/** Returns the page that an address names; `undefined` if the query lacks its subject. */
export function targetOf(
  page: keyof typeof ABOUT,
  query: Readonly<Record<string, unknown>>,
): Target | undefined {
  const names: readonly string[] = ABOUT[page]
  if (names.some(name => typeof query[name] !== 'string')) return undefined
  return { page, ...Object.fromEntries(names.map(name => [name, query[name]])) } as Target
}

/** The data for the forms on a page. */
export interface Shown {
  history: History
  definitions: readonly ProjectDefinition[]
  path: string
}

export const siteOf = (shown: Shown): Site => ({ link: linkTo, actions: actionsOf(shown) })

function actionsOf({ history, definitions, path }: Shown): Actions {
  return {
    nav: [
      { title: 'Run', href: '/start', current: path === '/start' },
      { title: 'Examine', href: '/examine', current: path === '/examine' },
    ],
    besideFinding: ({ run, clause, at, finding }) => {
      const about = `${new URLSearchParams({ run, clause, at: String(at) })}`
      return html`<div class="besides">${isReplayable(history, run, finding) ? replayForm({ run, clause, at }, history, definitions) : undefined}
<a href="/markdown?${about}" data-copies>Copy as Markdown</a>${finding.waived === undefined ? html` <a href="/waive?${about}">Waive</a>` : undefined}</div>`
    },
  }
}

/** Returns whether the kit can replay a finding: not what a client sent, and not load. */
const isReplayable = (history: History, run: string, { check }: Finding): boolean =>
  findRun(history, run)?.of.subject === 'deployment' && scenarioOf(check) === undefined

/**
 * Returns the form of a replay. The definition that the folder of a run names is preselected if the project has it; a
 * definition that only the folder names cannot be run.
 */
function replayForm(
  finding: { run: string; clause: string; at: number },
  { folder }: History,
  definitions: readonly ProjectDefinition[],
): Markup {
  const used = definitions.find(({ address }) => address === statedIn(`${folder}/${finding.run}`))
  return html`<form class="ui" method="post" action="/replay">${Object.entries(finding).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${definitionField(definitions, used?.name)}<button>Replay</button></form>`
}

function statedIn(folder: string): string | undefined {
  try {
    return noteOfRun(folder).definition
  } catch {
    return undefined
  }
}
