import type { Finding } from '../../fixtures/record.ts'
import type { Markup } from '../html/markup.ts'

/** A page of a site, or a file that its pages need. Ids are those of the history. */
export type Target =
  | { page: 'overview' }
  | { page: 'deployment'; deployment: string }
  | { page: 'run'; run: string }
  | { page: 'clause'; clause: string }
  | { page: 'check'; run: string; check: string }
  | { page: 'compare'; before: string; after: string }
  | { page: 'register' }
  | { page: 'style' }
  | { page: 'script' }

/** What somebody can do beside looking, on a site that a server shows. */
export interface Actions {
  /** Further entries of the navigation, after our own: pages that only the server has. */
  nav: readonly { title: string; href: string; current?: boolean }[]
  /** Forms beside a finding: replay it, waive it, copy it. `at` is its number among those of the clause. */
  besideFinding(finding: { run: string; clause: string; at: number; finding: Finding }): Markup | undefined
  /** Forms on the page of a clause, such as one that runs it. */
  besideClause(clause: string): Markup | undefined
  /** A form that chooses a run to compare with, given the runs that can be chosen. */
  besideRun(run: string): Markup | undefined
}

/** How pages address one another, and what can be done on them. */
export interface Site {
  /** Address of a page as it stands in a link; `undefined` where this site has no such page. */
  link(target: Target): string | undefined
  /** `null` for a site that is only read. */
  actions: Actions | null
  /** Content security policy as a `meta` element; `undefined` where a header says it. */
  policy?: string
}

/** What stands around the content of a page. */
export interface Layout {
  /** Heading of the page, and its title. */
  title: string
  site: Site
  /** Links to the pages above it, from below the overview on; absent on the overview itself. */
  trail?: readonly Markup[]
  /** What stands below the heading, before the content. */
  lead?: Markup | undefined
  /** A list of contents beside it. */
  aside?: Markup | undefined
  body: Markup
}
