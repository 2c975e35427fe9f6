import { behaviour } from '../html/behaviour.ts'
import { html, type Markup } from '../html/markup.ts'
import { style } from '../html/style.ts'
import type { Layout, Site, Target } from './site.ts'
import { ownStyle } from './style.ts'

/** The style sheet of the site: `{ page: 'style' }`. */
export const siteStyle = `${style}${ownStyle}`

/** The script of the site, which only filters, copies, and opens the target of a link: `{ page: 'script' }`. */
export const siteScript = behaviour

/** Returns a whole page. Style and script are separate files. */
export function layout({ title, site, trail, lead, aside, body }: Layout): string {
  const runs = linkTo(site, { page: 'overview' }, 'Runs')
  const register = linkTo(site, { page: 'register' }, 'Register')
  const further = (site.actions?.nav ?? []).map(
    ({ title: name, href, current }) =>
      html`<a href="${href}"${current === true ? html` aria-current="page"` : undefined}>${name}</a>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${site.policy === undefined ? undefined : html`<meta http-equiv="Content-Security-Policy" content="${site.policy}">`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="stylesheet" href="${site.link({ page: 'style' })}">
<script src="${site.link({ page: 'script' })}" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<nav class="sitebar" aria-label="Site"><b>travel-sales</b>${[runs, register, ...further]}</nav>
<header class="masthead">
<p class="kit">${trail === undefined ? 'Conformance of travel sales services' : html`${runs}${trail.map(link => html` › ${link}`)}`}</p>
<h1>${title}</h1>
${lead}
</header>
<div class="${aside === undefined ? 'whole' : 'page'}">
${aside}
<main id="main">
${body}
</main>
</div>
</body>
</html>
`.markup
}

/** Returns a link to a page, or only its text if the site has no such page. */
export function linkTo(site: Site, target: Target, text: string | Markup, anchor = ''): Markup {
  const address = site.link(target)
  return address === undefined ? html`${text}` : html`<a href="${address}${anchor}">${text}</a>`
}
