import type { Finding } from '../../../fixtures/record.ts'
import { noteOfRun } from '../../../fixtures/run/run-folder.ts'
import { scenarioOf } from '../../../reports/findings/command-to-see-again.ts'
import { findRun, type History } from '../../../reports/history/history.ts'
import { html, type Markup } from '../../../reports/html/markup.ts'
import { when } from '../../../reports/site/parts.ts'
import type { Actions, Site, Target } from '../../../reports/site/site.ts'
import type { ProjectDefinition } from './definitions.ts'
import { definitionField } from './start-page.ts'

/** Returns the address of a page: its name, and what it is about in the query. */
export function linkTo(target: Target): string {
  const { page, ...about } = target
  if (page === 'overview') return '/'
  if (page === 'style') return '/style.css'
  if (page === 'script') return '/site.js'
  return Object.keys(about).length === 0 ? `/${page}` : `/${page}?${new URLSearchParams(about)}`
}

/** What each page is about, by its name. */
const ABOUT = {
  overview: [],
  deployment: ['deployment'],
  run: ['run'],
  clause: ['clause'],
  check: ['run', 'check'],
  compare: ['before', 'after'],
  register: [],
} as const satisfies Partial<Record<Target['page'], readonly string[]>>

/** Names of the pages of the site. */
export const PAGES = Object.keys(ABOUT) as (keyof typeof ABOUT)[]

/** Returns the page that an address names; `undefined` where it does not say what about. */
export function targetOf(
  page: keyof typeof ABOUT,
  query: Readonly<Record<string, unknown>>,
): Target | undefined {
  const names: readonly string[] = ABOUT[page]
  if (names.some(name => typeof query[name] !== 'string')) return undefined
  return { page, ...Object.fromEntries(names.map(name => [name, query[name]])) } as Target
}

/** What the forms on pages are made of. */
export interface Shown {
  history: History
  definitions: readonly ProjectDefinition[]
  /** Path of the page that is shown. */
  path: string
}

/** Returns the site with its forms. */
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
    besideClause: clause =>
      html`<p><a href="/start?${new URLSearchParams({ only: clause }).toString()}">Run this clause</a></p>`,
    besideRun: run => compareForm(history, run),
  }
}

/** Returns whether the kit can do again what showed a finding: what a client sent, and load, it cannot. */
const isReplayable = (history: History, run: string, { check }: Finding): boolean =>
  findRun(history, run)?.of.subject === 'deployment' && scenarioOf(check) === undefined

/**
 * The definition that the folder of a run names is chosen beforehand, where the project has it; nothing that only a
 * folder names can be run.
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

function compareForm(history: History, run: string): Markup | undefined {
  const others = (findRun(history, run)?.of.runs ?? []).filter(({ id }) => id !== run)
  if (others.length === 0) return undefined
  return html`<form class="ui row" method="get" action="/compare"><input type="hidden" name="after" value="${run}">
<label>Compare with <select name="before">${others.map(
    ({ id, startedAt, verdict }) => html`<option value="${id}">${when(startedAt)}, ${verdict}</option>`,
  )}</select></label><button>Compare</button></form>`
}
