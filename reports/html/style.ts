import { loadStyle } from './load-style.ts'
import { statesStyle } from './states-style.ts'

const common = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --raised: #ffffff; --sunken: #f3f1ed; --ink: #22211f; --soft: #66625b; --line: #e2dfd8;
  --link: #2b5c9e; --focus: #2b5c9e;
  --conforms: #2f7a4f; --violates: #b3352b; --blocked: #a2650c; --error: #8a3d8f; --unseen: #b9b4aa; --none: #dedad2;
  --violates-wash: #fbf0ee; --blocked-wash: #fbf4e6; --error-wash: #f8eff8;
  --serif: Charter, 'Bitstream Charter', 'Sitka Text', 'Iowan Old Style', Cambria, Georgia, serif;
  --sans: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #171716; --raised: #1f1f1d; --sunken: #262623; --ink: #e8e5df; --soft: #a09b91; --line: #35332f;
    --link: #8fb6ea; --focus: #8fb6ea;
    --conforms: #6dba8c; --violates: #ef8579; --blocked: #dfa64f; --error: #cf93d4; --unseen: #67635b; --none: #3a3834;
    --violates-wash: #2c1f1d; --blocked-wash: #2b2418; --error-wash: #292029;
  }
}
* { box-sizing: border-box; }
html { font: 16px/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; }
main, .masthead, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.5rem; }
.contents { max-width: 66rem; margin: 1.5rem auto 0; padding: 0 1.5rem; font-size: .9rem; }
.contents ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
.contents ul ul { display: none; } .contents small { color: var(--soft); font-variant-numeric: tabular-nums; }
.contents a { text-decoration: none; } .contents a:hover { text-decoration: underline; }
@media screen and (min-width: 80rem) {
  .page, .masthead, footer { max-width: 82rem; margin: 0 auto; padding: 0 1.5rem; }
  .page { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); gap: 2.5rem; }
  .page main { padding: 0; margin: 0; max-width: none; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; margin: 0; padding: 2rem 0; }
  .contents ul, .contents ul ul { display: grid; gap: .3rem; } .contents ul ul { padding: .3rem 0 0 .9rem; }
}
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .18em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--raised); padding: .4rem .8rem; z-index: 1; }
h1, h2, h3 { font-weight: 600; line-height: 1.25; text-wrap: balance; margin: 0; }
h2 { font: 600 1.45rem/1.3 var(--serif); margin: 2.6rem 0 .35rem; }
main > :first-child > h2 { margin-top: 1.6rem; }
h3 { font-size: 1rem; }
code, pre, .id { font-family: var(--mono); font-size: .84em; }
.id { overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .9rem; margin: 0 0 1.1rem; max-width: 46rem; }

.masthead { padding-top: 2rem; }
.kit { color: var(--soft); font-size: .85rem; letter-spacing: .02em; margin: 0 0 .5rem; }
h1 { font: 600 2.1rem/1.2 var(--serif); letter-spacing: -.01em; overflow-wrap: anywhere; }
.address { color: var(--soft); margin: .3rem 0 0; overflow-wrap: anywhere; }

.verdict { display: grid; grid-template-columns: minmax(13rem, 1fr) 2fr; gap: 1.5rem 2.5rem; margin: 1.2rem 0 0;
  background: var(--raised); border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 8px; padding: 1.2rem 1.6rem; }
.verdict .word { font: 600 1.7rem/1.2 var(--serif); color: var(--tone); margin: 0; }
.verdict .word::first-letter { text-transform: uppercase; }
.verdict .sentence { margin: .35rem 0 0; }
.numbers { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; margin: 0; }
.numbers dt { color: var(--soft); font-size: .85rem; line-height: 1.35; }
.numbers dd { margin: 0; font: 500 1.7rem/1.2 var(--serif); font-variant-numeric: tabular-nums; }
.numbers dd small { font-size: 1rem; color: var(--soft); }
.numbers > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; gap: .1rem; }

.bar { display: block; width: 100%; height: .6rem; margin: 1.1rem 0 .5rem; border-radius: 4px; overflow: hidden; background: var(--none); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.4rem; margin: 0; padding: 0; font-size: .88rem; color: var(--soft); }
.legend b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: 1rem 1.5rem; margin: 2rem 0 0; padding: 1.2rem 0 0; border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; font-size: .93rem; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

.tone-conforms { --tone: var(--conforms); } .tone-violates { --tone: var(--violates); --wash: var(--violates-wash); }
.tone-blocked { --tone: var(--blocked); --wash: var(--blocked-wash); } .tone-error { --tone: var(--error); --wash: var(--error-wash); }
.tone-unseen { --tone: var(--unseen); } .tone-none { --tone: var(--none); }
.verdict .measures { grid-column: 1 / -1; } .verdict .measure { margin: .35rem 0 0; font-size: .88rem; color: var(--soft); }
.mark { display: inline-block; width: .62rem; height: .62rem; border-radius: 50%; background: var(--tone); margin-right: .45rem; flex: none; }
.tone-none .mark { background: transparent; border: 2px solid var(--unseen); }
svg .tone-conforms, svg .tone-violates, svg .tone-blocked, svg .tone-error, svg .tone-unseen, svg .tone-none { fill: var(--tone); }
.callout { background: var(--wash, var(--sunken)); border-left: 3px solid var(--tone); border-radius: 4px; padding: .9rem 1.2rem; margin: 1.5rem 0 0; }
.callout h2 { font: 600 1rem/1.4 var(--sans); margin: 0 0 .3rem; }
.callout ul { margin: 0; padding-left: 1.2rem; } .callout p { margin: 0; }
.callout li { overflow-wrap: anywhere; white-space: pre-wrap; }

.broken { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; margin: 1.25rem 0; overflow: clip; }
.broken > header { padding: 1.15rem 1.5rem 1rem; border-top: 3px solid var(--tone); }
.broken h3 { font: 600 1.12rem/1.42 var(--serif); margin: .15rem 0 0; text-wrap: pretty; }
.broken .meta { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .85rem; color: var(--soft); margin: 0; }
.broken .meta .id { color: var(--tone); font-weight: 600; font-size: .85rem; }
.finding { border-top: 1px solid var(--line); padding: 1rem 1.5rem 1.15rem; }
.finding .message { margin: 0 0 .7rem; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 52rem; }
.pair { display: grid; grid-template-columns: 5.5rem 1fr; gap: .3rem 1rem; margin: 0 0 .7rem; font-size: .9rem; }
.pair dt { color: var(--soft); } .pair dd { margin: 0; font-family: var(--mono); font-size: .84rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.pair .observed { color: var(--violates); }
.origin { color: var(--soft); font-size: .85rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
.rest { color: var(--soft); font-size: .9rem; padding: .8rem 1.5rem; border-top: 1px solid var(--line); margin: 0; }

details > summary { cursor: pointer; }
summary::marker { color: var(--soft); }
.exchange { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; background: var(--paper); overflow: clip; }
.exchange > summary { padding: .45rem .8rem; font-size: .88rem; overflow-wrap: anywhere; }
.exchange > summary .id { color: var(--soft); margin-right: .5rem; }
.exchange > summary .status { font-weight: 600; white-space: nowrap; }
.exchange .inside { padding: .2rem .9rem .9rem; border-top: 1px solid var(--line); }
.exchange h4 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: .9rem 0 .3rem; }
.exchange p { font-size: .85rem; color: var(--soft); margin: .6rem 0 0; }
pre { margin: 0; padding: .7rem .9rem; background: var(--sunken); border-radius: 5px; overflow: auto; max-height: 26rem; font-size: .8rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
pre .field { color: var(--soft); }
.copy { font: 500 .78rem var(--sans); color: var(--link); background: none; border: 0; padding: .1rem .3rem; margin-left: .4rem; cursor: pointer; border-radius: 3px; }
.elsewhere { font-size: .88rem; color: var(--soft); margin: .4rem 0; }

.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th { text-align: left; font-weight: 500; font-size: .8rem; color: var(--soft); padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); }
td { padding: .5rem .9rem .5rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td:last-child, th:last-child { padding-right: 0; }
table.kinds { margin-top: 1.6rem; }
table.by-status { font-size: .84rem; } table.by-status td.number, table.by-status th.number { width: auto; padding-right: .9rem; } table.by-status tbody th { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 5rem; padding-right: 1.4rem; }
.area > summary { margin: .5rem 0; } .area[open] > summary { margin-top: 1.6rem; } .area h3 { display: inline; font: 600 1.05rem/1.4 var(--sans); } .area .tally { font-weight: 400; color: var(--soft); font-size: .87rem; margin-left: .6rem; }
.clauses td:first-child b { display: block; font: .79rem/1.5 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.clauses td:first-child a { font-size: .75rem; color: var(--soft); text-decoration: none; }
.clauses td:nth-child(2) { width: 4.5rem; white-space: nowrap; color: var(--soft); }
.clauses td:nth-child(3) { width: 15rem; } .clauses small { display: block; color: var(--soft); font-size: .82rem; line-height: 1.4; }
.clauses tr[id]:not([data-verdict]) td:nth-child(3) { color: var(--conforms); } .clauses tr[data-verdict=violates] td:nth-child(3) { color: var(--violates); font-weight: 600; }
.clauses tr[data-verdict=blocked] td:nth-child(3) { color: var(--blocked); } .clauses tr[data-verdict=error] td:nth-child(3) { color: var(--error); }
.clauses td:nth-child(3) small { font-weight: 400; } tr:target > td { background: var(--sunken); }
.clauses tr[data-level=should] td:first-child b::after { content: ' should'; font-family: var(--sans); }
.clauses td i { display: block; font-style: normal; font-size: .75rem; color: var(--soft); overflow-wrap: anywhere; } .clauses td i::before { content: 'Proved by '; }
.others .where { font: .79rem/1.5 var(--mono); color: var(--soft); margin: .8rem 0 .2rem; overflow-wrap: anywhere; } .others ol { margin: 0; font-size: .85rem; padding-left: 3rem; overflow-wrap: anywhere; } .others li:target { background: var(--sunken); }
.others > summary { color: var(--soft); font-size: .88rem; padding: .5rem 0; }
.areas { margin: 0; display: grid; gap: .7rem; } .areas > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 1rem; }
.areas dd { margin: 0; } .areas small { display: block; color: var(--soft); }
.marks { font: .8rem/1.15 var(--mono); letter-spacing: .06em; overflow-wrap: anywhere; } .marks { margin: 0; } .marks i { font-style: normal; } .marks a { text-decoration: none; }
.marks .c { color: var(--conforms); } .marks .v { color: var(--violates); font-weight: 700; } .marks .b { color: var(--blocked); } .marks .e { color: var(--error); font-weight: 700; } .marks .n { color: var(--soft); }
mark { background: var(--violates-wash); color: var(--violates); font-weight: 600; box-shadow: inset 3px 0 var(--violates); padding-left: .35rem; margin-left: -.35rem; }
.also { border-left: 3px solid var(--line); padding-left: 1rem; margin: 0 0 .9rem; } .also .says { margin: .1rem 0 .4rem; font-weight: 500; }
.broken .meta a.id { color: var(--tone, inherit); text-decoration: none; }
.which { font-size: .85rem; color: var(--soft); } .which ul { columns: 17rem; column-gap: 1.5rem; list-style: none; padding: 0; margin: .4rem 0 .2rem; }

.filters { display: flex; flex-wrap: wrap; gap: .8rem 1rem; align-items: end; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); padding: .9rem 1.1rem; margin: 1rem 0 0; }
.filters[hidden] { display: none; }
.filters label { display: grid; gap: .2rem; font-size: .8rem; color: var(--soft); }
.filters label.wide { flex: 1 1 16rem; }
.filters input, .filters select { font: inherit; font-size: .92rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 5px; padding: .38rem .6rem; width: 100%; }
.filters output { font-size: .88rem; color: var(--soft); padding-bottom: .45rem; font-variant-numeric: tabular-nums; }

footer { color: var(--soft); font-size: .85rem; padding-top: 1.2rem; padding-bottom: 4rem; margin-top: 4rem; }
footer p { border-top: 1px solid var(--line); padding-top: 1.2rem; max-width: none; margin: 0; }

@media screen and (max-width: 46rem) {
  html { font-size: 15px; }
  main, .masthead, footer { padding-left: 1rem; padding-right: 1rem; }
  .verdict { grid-template-columns: 1fr; padding: 1.25rem; }
  .pair { grid-template-columns: 1fr; gap: 0 0; } .pair dd { margin-bottom: .4rem; }
  .broken > header, .finding, .rest { padding-left: 1rem; padding-right: 1rem; }
  .clauses thead { display: none; } .clauses tr:not([hidden]) { display: grid; grid-template-columns: 1fr auto; border-bottom: 1px solid var(--line); }
  .clauses td { border: 0; padding: .3rem 0; width: auto !important; } .clauses td:first-child { grid-column: 1 / -1; padding-bottom: 0; } .clauses td:nth-child(3) { grid-row: 2; grid-column: 1; }
  .areas > div { grid-template-columns: 1fr; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --raised: #fff; --sunken: #f6f6f6; --ink: #000; --soft: #555; --line: #ccc; }
  html { font-size: 10.5pt; } .masthead { padding-top: 0; }
  .filters, .copy, .skip { display: none !important; }
  .verdict, .finding, tr, .callout { break-inside: avoid; } h2, h3, caption { break-after: avoid; }
  .page { display: block; } .contents, .exchange, .elsewhere, #checks, section:has(> #checks), .which, .others, .clauses td i { display: none !important; }
  .broken header { padding-top: .6rem; } .finding { padding-top: .4rem; padding-bottom: .4rem; }
  .clauses table, .clauses tbody { display: block; } .clauses thead { display: none; }
  .clauses tr[id]:not([data-verdict]) { display: inline; } .clauses tr[id]:not([data-verdict]) td { display: none; }
  .clauses tr[id]:not([data-verdict]) td:first-child { display: inline; padding: 0; border: 0; font-size: 0; } .clauses tr[id]:not([data-verdict]) td:first-child b { display: inline; font-size: 8pt; margin-right: 1em; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`

/** The style of the report, without external fonts, images or addresses. */
export const style = `${common}${loadStyle}${statesStyle}`
