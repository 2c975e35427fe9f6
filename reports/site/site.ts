import type { Finding } from '../../fixtures/record.ts'
import type { Markup } from '../html/markup.ts'

/** A page of a site, or a file that its pages need. The ids are those of the history. */
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

/** The actions on a site that a server provides. */
export interface Actions {
  /** Additional navigation entries for pages of the server. */
  nav: readonly { title: string; href: string; current?: boolean }[]
  /** Returns forms beside a finding: replay, waive, copy. `at` is its index among those of the clause. */
  besideFinding(finding: { run: string; clause: string; at: number; finding: Finding }): Markup | undefined
  /** Returns forms on the page of a clause, such as one that runs it. */
  besideClause(clause: string): Markup | undefined
  /** Returns a form that chooses a run to compare with. */
  besideRun(run: string): Markup | undefined
}

/** How pages link to one another, and which actions they have. */
export interface Site {
  /** Returns the URL of a page for a link; `undefined` if this site has no such page. */
  link(target: Target): string | undefined
  /** `null` for a read-only site. */
  actions: Actions | null
  /** The content security policy as a `meta` element; `undefined` if a header has it. */
  policy?: string
}

/** The frame around the content of a page. */
export interface Layout {
  /** The heading of the page, and its title. */
  title: string
  site: Site
  /** Links to the pages above it, from below the overview on; absent on the overview itself. */
  trail?: readonly Markup[]
  /** The content between heading and body. */
  lead?: Markup | undefined
  /** A table of contents beside the body. */
  aside?: Markup | undefined
  body: Markup
}
