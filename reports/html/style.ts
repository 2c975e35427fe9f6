/** The style of load runs. Lines differ in lightness and dashes too, for readers without colour vision. */
const loadStyle = `
:root { --c1: #0b62a8; --c2: #c8500a; --c3: #00805f; --c4: #a8478a; --c5: #8a6a00; --c6: #3f3d8f; --grid: #ebe8e2; }
@media screen and (prefers-color-scheme: dark) {
  :root { --c1: #6fb5f0; --c2: #f2925a; --c3: #45c79c; --c4: #e29ac8; --c5: #dcb84a; --c6: #a9a6f2; --grid: #2d2c29; }
}
.tone-measured { --tone: var(--link); }
.scenario { background: var(--raised); border: 1px solid var(--line); border-top: 3px solid var(--tone); border-radius: 8px; margin: 1.6rem 0; overflow: clip; }
.scenario > header { padding: 1.15rem 1.5rem 0; }
.scenario > .inside { padding: .9rem 1.5rem 1.2rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.3rem; }
.scenario > .inside > * { margin: 0; }
.scenario h3 { font: 600 1.2rem/1.42 var(--sans); margin: .2rem 0 0; text-wrap: pretty; }
.scenario .meta { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; font-size: .85rem; color: var(--soft); margin: 0; }
.scenario .meta .id { font-weight: 600; font-size: .88rem; color: var(--ink); }
.scenario .meta .word { color: var(--ink); font-weight: 600; }
.tiles { display: grid; gap: .8rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
.tiles > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; } .tiles dt { line-height: 1.35; color: var(--soft); font-size: .8rem; }
.tiles dd { margin: 0; font: 500 1.15rem/1.3 var(--sans); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; } .tiles dd.words { font: inherit; font-size: .92rem; }
.notes { display: grid; gap: .5rem; } .notes .callout { margin: 0; padding: .55rem 1rem; font-size: .92rem; }
.answers { list-style: none; padding: 0; display: grid; gap: .35rem; font-size: .94rem; }
.answers li { display: flex; align-items: baseline; overflow-wrap: anywhere; }
.answers small { color: var(--soft); font-size: .84rem; margin-left: .5rem; }

.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.scenarios .question { min-width: 14rem; } .scenarios td.state { width: 9.5rem; min-width: 8rem; }
.scenarios .id { white-space: nowrap; overflow-wrap: normal; }
.calls { font-size: .88rem; } .calls th, .calls td { padding-left: 0; padding-right: 1.1rem; overflow-wrap: normal; vertical-align: baseline; }
.calls .figure.first { padding-left: .6rem; } .calls .figure:last-child { padding-right: 0; }
.calls tbody th { font: inherit; color: var(--ink); white-space: nowrap; } .calls tbody th, .calls tbody td { padding-top: .45rem; padding-bottom: .45rem; }
.calls thead td { border: 0; padding: 0; } .calls .group { text-align: right; border: 0; padding-bottom: 0; color: var(--ink); }
.calls .group:last-child { padding-right: 0; }
.scenario > .inside > .others > summary { padding: 0 0 .3rem; } .scenario .answers { margin: 0; } .calls .outcomes { min-width: 9rem; color: var(--soft); } .calls .outcomes span { white-space: nowrap; margin-right: .6rem; } .calls .outcomes b { color: var(--ink); font-weight: 600; }

.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1.2rem 2rem; }
@media screen and (min-width: 64rem) { .plots:has(> :nth-child(4):last-child) { grid-template-columns: repeat(2, minmax(0, 30rem)); } }
.plot { margin: 0; min-width: 0; max-width: 36rem; display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: 1fr auto; }
.plot figcaption { font-size: .92rem; font-weight: 600; line-height: 1.35; padding-bottom: .5rem; }
.plot .scroll svg { display: block; width: 100%; height: auto; }
.keys { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: .2rem 0 0; font-size: .82rem; font-weight: 400; color: var(--soft); }
.keys li { display: flex; align-items: center; gap: .4rem; overflow-wrap: anywhere; } .keys svg { width: 24px; height: 8px; flex: none; }
.plot text { font: 11.5px var(--sans); fill: var(--soft); font-variant-numeric: tabular-nums; }
.plot .grid { stroke: var(--grid); } .plot .axis { stroke: var(--unseen); fill: none; }
.plot .moment { stroke: var(--soft); stroke-dasharray: 1 3; fill: none; }
.plot .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.plot .bars { fill: var(--c1); }
.line.c1 { stroke: var(--c1); } .line.c2 { stroke: var(--c2); } .line.c3 { stroke: var(--c3); } .line.c4 { stroke: var(--c4); } .line.c5 { stroke: var(--c5); } .line.c6 { stroke: var(--c6); }
.line.d2 { stroke-dasharray: 6 2.5; } .line.d3 { stroke-dasharray: 2 2; } .line.d4 { stroke-dasharray: 9 2.5 2 2.5; } .line.d5 { stroke-dasharray: 12 3; } .line.d6 { stroke-dasharray: 4 2 1.5 2 1.5 2; }
.nothing { color: var(--soft); font-size: .88rem; background: var(--sunken); border-radius: 5px; padding: 1rem; margin: 0; }

@media screen and (max-width: 60rem) {
  .scenario > header, .scenario > .inside { padding-left: .9rem; padding-right: .9rem; }
  .scenarios .question, .scenarios thead, .calls thead { display: none; }
  .scenarios tr, .calls tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; padding: .45rem 0; border-bottom: 1px solid var(--line); }
  .scenarios td, .scenarios td.state, .calls tbody th, .calls tbody td { border: 0; padding: 0; width: auto; min-width: 0; text-align: left; white-space: normal; }
  .calls tbody th, .calls .outcomes { flex: 1 0 100%; } td[data-q]::before { content: attr(data-q) ' '; color: var(--soft); font-size: .8em; }
  .calls .figure.first { padding-left: 0; } .calls td::before { color: var(--soft); font-size: .8em; } .calls tbody th + td::before { content: 'sent '; }
  .calls .first::before { content: 'p50 '; } .calls .first + td::before { content: 'p95 '; } .calls .first + td + td::before { content: 'p99 '; } .calls .first + td + td + td::before { content: 'max '; } .calls .first ~ .first { flex-basis: auto; } .calls .first ~ .first::before { content: 'from when due: p50 '; }
}
@media print {
  .calls { font-size: 7.5pt; } .calls th, .calls td { padding-right: .6rem; } .calls .outcomes { min-width: 7rem; }
  .plots { grid-template-columns: 1fr 1fr; }
  .plot, .scenario > header { break-inside: avoid; } .scenario > header { break-after: avoid; } .scenario { overflow: visible; }
}
`

/** The style of the tables of states. */
const statesStyle = `
.machines { columns: 24rem 2; column-gap: 2rem; } .machine { break-inside: avoid; }
.machine h3 { margin: 0 0 .4rem; padding-top: .9rem; } .machine .tally { font-weight: 400; color: var(--soft); font-size: .87rem; margin-left: .4rem; }
.machine h4 { margin: .4rem 0 .2rem; font-size: .85rem; color: var(--soft); } .machine ul { margin: 0; padding-left: 1.1rem; font-size: .9rem; } .machine li { margin: .15rem 0; overflow-wrap: anywhere; }
.machine small { color: var(--soft); margin-left: .4rem; }
`

const common = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --raised: #ffffff; --sunken: #f3f1ed; --ink: #22211f; --soft: #66625b; --line: #e2dfd8;
  --link: #2b5c9e; --focus: #2b5c9e;
  --conforms: #2f7a4f; --violates: #b3352b; --blocked: #a2650c; --error: #8a3d8f; --unseen: #b9b4aa; --none: #dedad2;
  --violates-wash: #fbf0ee; --blocked-wash: #fbf4e6; --error-wash: #f8eff8;
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
html { font: 16px/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; scroll-padding-top: 4.8rem; }
body { margin: 0; }
main, .masthead, footer, .head { max-width: 82rem; margin: 0 auto; padding: 0 1.5rem; }
.head { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .35rem 1.2rem; align-items: center; padding-top: .5rem; padding-bottom: .5rem; margin-top: .9rem;
  background: var(--raised); box-shadow: 0 0 0 100vmax var(--raised), 0 1px 0 100vmax var(--line); clip-path: inset(0 -100vmax -1px); border-bottom: 1px solid var(--line); font-size: .88rem; }
.head .word { display: flex; align-items: center; font-weight: 600; color: var(--tone); text-decoration: none; white-space: nowrap; } .head .word::first-letter { text-transform: uppercase; }
.head .word.tone-unseen, .head .word.tone-none, .head .word.tone-measured { color: var(--ink); }
.contents { flex: 1 1 auto; min-width: 0; display: flex; gap: 0 1.2rem; align-items: center; } .contents ul { list-style: none; flex: 1 1 0; min-width: 0; margin: 0; padding: 0; display: flex; gap: .2rem .9rem; overflow-x: auto; scrollbar-width: none; white-space: nowrap; }
.contents small { color: var(--soft); font-variant-numeric: tabular-nums; } .contents a { text-decoration: none; } .contents a:hover { text-decoration: underline; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .18em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--raised); padding: .4rem .8rem; z-index: 1; }
h1, h2, h3 { font-weight: 600; line-height: 1.25; text-wrap: balance; margin: 0; }
h2 { font: 600 1.3rem/1.3 var(--sans); margin: 2.2rem 0 .35rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
h3 { font-size: 1rem; }
code, pre, .id { font-family: var(--mono); font-size: .84em; }
.id { overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .9rem; margin: 0 0 1.1rem; max-width: 46rem; }

.masthead { padding-top: 1.3rem; }
.kit { color: var(--soft); font-size: .85rem; margin: 0 0 .5rem; }
h1 { font: 600 1.55rem/1.25 var(--sans); overflow-wrap: anywhere; }
.address { font-weight: 400; font-size: .95rem; color: var(--soft); margin: .3rem 0 0; overflow-wrap: anywhere; } .title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .9rem; } .title .address { margin: 0; }
.verdict { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem 2.5rem; margin: .8rem 0 0;
  background: var(--raised); border: 1px solid var(--line); border-left: 6px solid var(--tone); border-radius: 8px; padding: .9rem 1.4rem; }
.verdict .word { font: 700 1.6rem/1.2 var(--sans); color: var(--tone); margin: 0; } .verdict.tone-unseen .word, .verdict.tone-none .word { color: var(--ink); }
.verdict .word::first-letter { text-transform: uppercase; }
.verdict .sentence { margin: .25rem 0 0; } .verdict .measure { margin: .25rem 0 0; font-size: .86rem; color: var(--soft); }
.numbers { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; margin: 0; }
.numbers dt { color: var(--soft); font-size: .82rem; line-height: 1.35; }
.numbers dd { margin: 0; font: 500 1.55rem/1.2 var(--sans); font-variant-numeric: tabular-nums; white-space: nowrap; }
.numbers dd small { font-size: .92rem; color: var(--soft); }
.numbers > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; gap: .1rem; }

.bar { display: block; width: 100%; height: .5rem; margin: .8rem 0 .4rem; border-radius: 4px; overflow: hidden; background: var(--none); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.4rem; margin: 0; padding: 0; font-size: .88rem; color: var(--soft); }
.legend b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.8rem; margin: .8rem 0 0; font-size: .88rem; }
.facts dt { display: inline; color: var(--soft); margin-right: .4rem; } .facts dd { display: inline; margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

.glance { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); gap: 0 2.5rem; }
.glance h3 { font-size: .95rem; margin: 1.1rem 0 .35rem; }
.roots { list-style: none; margin: 0; padding: 0; display: grid; gap: .45rem; } .roots li { display: flex; align-items: baseline; line-height: 1.35; } .roots a { text-decoration: none; color: var(--ink); font-weight: 500; } .roots a:hover { text-decoration: underline; }
.roots small { display: block; color: var(--soft); font-size: .84rem; overflow-wrap: anywhere; }
.unlooked { font-size: .84rem; line-height: 1.35; } .unlooked td { padding-top: .2rem; padding-bottom: .2rem; } .unlooked td.number, .unlooked th.number { width: 4rem; } .unlooked td:last-child { color: var(--soft); }
.strips { font-size: .84rem; line-height: 1.35; } .strips th, .strips td { padding: .12rem .8rem .12rem 0; border: 0; vertical-align: middle; } .strips th { width: 1%; font-size: .84rem; white-space: nowrap; } .strips th a { text-decoration: none; }
.strips small { color: var(--soft); }
.state-list { list-style: none; margin: 0; padding: 0; font-size: .9rem; } .state-list small { color: var(--soft); }

.tone-conforms { --tone: var(--conforms); } .tone-violates { --tone: var(--violates); --wash: var(--violates-wash); }
.tone-blocked { --tone: var(--blocked); --wash: var(--blocked-wash); } .tone-error { --tone: var(--error); --wash: var(--error-wash); }
.tone-unseen { --tone: var(--unseen); } .tone-none { --tone: var(--none); }
.mark { display: inline-block; width: .62rem; height: .62rem; border-radius: 50%; background: var(--tone); margin-right: .45rem; flex: none; }
.tone-none .mark { background: transparent; border: 2px solid var(--unseen); }
svg .tone-conforms, svg .tone-violates, svg .tone-blocked, svg .tone-error, svg .tone-unseen, svg .tone-none { fill: var(--tone); }
.callout { background: var(--wash, var(--sunken)); border-left: 3px solid var(--tone); border-radius: 4px; padding: .6rem 1.1rem; margin: .9rem 0 0; font-size: .93rem; }
.callout h2 { font: 600 1rem/1.4 var(--sans); margin: 0 0 .3rem; }
.callout ul { margin: 0; padding-left: 1.2rem; } .callout p { margin: 0; }
.callout li { overflow-wrap: anywhere; white-space: pre-wrap; }

.findings { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 0 2rem; align-items: start; }
.found { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow-y: auto; font-size: .88rem; line-height: 1.35; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.found ol, .found ul { list-style: none; margin: 0; padding: 0; } .found b { font-weight: 500; } .found small { display: block; color: var(--soft); overflow-wrap: anywhere; }
.found ol > li { border-left: 4px solid var(--tone); border-bottom: 1px solid var(--line); } .found ol > li:last-child { border-bottom: 0; } .found a { display: block; padding: .45rem .8rem; text-decoration: none; color: var(--ink); overflow-wrap: anywhere; } .found a:hover, .found [aria-current] { background: var(--sunken); } .found [aria-current] b { font-weight: 600; }
.found summary { padding: 0 .8rem .4rem; color: var(--soft); font-size: .84rem; } .found ul a { padding-left: 1.6rem; padding-top: .25rem; padding-bottom: .25rem; }
.cause { background: var(--raised); border: 1px solid var(--line); border-top: 3px solid var(--tone); border-radius: 8px; padding: 1rem 1.4rem 1.1rem; overflow: clip; }
.cause + .cause { margin-top: 1.25rem; }
.cause h3 { font: 600 1.1rem/1.4 var(--sans); margin: .15rem 0 .5rem; text-wrap: pretty; }
.cause .meta { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .85rem; color: var(--soft); margin: 0; }
.cause .meta a.id { color: var(--link); font-weight: 600; font-size: .85rem; text-decoration: none; }
.cause .message { margin: .5rem 0 .9rem; font-size: .93rem; white-space: pre-wrap; overflow-wrap: anywhere; } .cause .message small, .also small { display: block; color: var(--soft); font-size: .82rem; }
.shown { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem 1.6rem; align-items: start; }
.pair { display: flex; flex-wrap: wrap; gap: .3rem 1.8rem; margin: 0 0 .6rem; font-size: .9rem; }
.pair dt { color: var(--soft); font-size: .8rem; } .pair dd { margin: 0; font-family: var(--mono); font-size: .84rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.pair .observed { color: var(--violates); }
.origin { color: var(--soft); font-size: .85rem; margin: .6rem 0 .2rem; overflow-wrap: anywhere; }
.also { margin: 0 0 .6rem; padding-left: 1.1rem; font-size: .9rem; } .also li { margin: .2rem 0; overflow-wrap: anywhere; }
.around { display: flex; gap: .3rem 1.4rem; margin: .9rem 0 0; font-size: .9rem; }
.excerpt { margin: 0 0 .4rem; max-height: 18rem; } .command { padding: .45rem .8rem; }
@supports selector(:has(a)) {
  .causes:not(.scripted):has(:target) > .cause:not(:target, :has(:target)) { display: none; }
  .causes:not(.scripted):not(:has(:target)) > .cause ~ .cause { display: none; }
}
.scripted > .cause:not(.chosen) { display: none; }
.rest { color: var(--soft); font-size: .9rem; padding: .6rem .8rem; margin: 0; }

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
.copy { font: 500 .78rem var(--sans); color: var(--link); background: none; border: 0; padding: .15rem .4rem; position: absolute; top: .35rem; right: .4rem; cursor: pointer; border-radius: 3px; }
.copies { position: relative; } .copies > .copy { background: var(--sunken); } .copies > pre { padding-right: 4.2rem; }
.elsewhere { font-size: .88rem; color: var(--soft); margin: .4rem 0; }

.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th { text-align: left; font-weight: 500; font-size: .8rem; color: var(--soft); padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); }
td { padding: .5rem .9rem .5rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td:last-child, th:last-child { padding-right: 0; }
table.kinds { margin-top: 1.6rem; max-width: 46rem; }
table.by-status { font-size: .84rem; } table.by-status td.number, table.by-status th.number { width: auto; padding-right: .9rem; } table.by-status tbody th { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 5rem; padding-right: 1.4rem; }
.area > summary { margin: .5rem 0; } .area[open] > summary { margin-top: 1.6rem; } .area h3 { display: inline; font: 600 1.05rem/1.4 var(--sans); } .area .tally { font-weight: 400; color: var(--soft); font-size: .87rem; margin-left: .6rem; }
.clauses td:first-child b { display: block; font: .79rem/1.5 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.clauses td:nth-child(2) { width: 4.5rem; white-space: nowrap; color: var(--soft); }
.clauses td:nth-child(3) { width: 15rem; } .clauses small { display: block; color: var(--soft); font-size: .82rem; line-height: 1.4; }
.clauses tr[id]:not([data-verdict]) td:nth-child(3) { color: var(--conforms); } .clauses tr[data-verdict=violates] td:nth-child(3) { color: var(--violates); font-weight: 600; }
.clauses tr[data-verdict=blocked] td:nth-child(3) { color: var(--blocked); } .clauses tr[data-verdict=error] td:nth-child(3) { color: var(--error); }
.clauses td:nth-child(3) small { font-weight: 400; } tr:target > td { background: var(--sunken); }
.clauses tr[data-level=should] td:first-child b::after { content: ' should'; font-family: var(--sans); }
.others > summary { color: var(--soft); font-size: .88rem; padding: .5rem 0; }
.marks { font: .8rem/1.15 var(--mono); letter-spacing: .06em; overflow-wrap: anywhere; margin: 0; } .marks a { text-decoration: none; } .marks .c { color: var(--conforms); } .marks .v { color: var(--violates); font-weight: 700; } .marks .b { color: var(--blocked); } .marks .e { color: var(--error); } .marks .n { color: var(--soft); }
mark { background: var(--violates-wash); color: var(--violates); font-weight: 600; box-shadow: inset 3px 0 var(--violates); padding-left: .35rem; margin-left: -.35rem; }
.which { font-size: .85rem; columns: 24rem; column-gap: 1.5rem; list-style: none; padding: 0; margin: .4rem 0 .2rem; }

.filters { display: flex; gap: .4rem; align-items: center; min-width: 0; overflow-x: auto; scrollbar-width: none; padding: 2px; } .filters[hidden] { display: none; }
.filters input, .filters select { font: inherit; font-size: .84rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 5px; padding: .28rem .45rem; flex: none; max-width: 6.6rem; } .filters input { width: 9.5rem; max-width: none; }
.filters .count { white-space: nowrap; font-variant-numeric: tabular-nums; }

footer { color: var(--soft); font-size: .85rem; padding-top: 1.2rem; padding-bottom: 4rem; margin-top: 4rem; }
footer p { border-top: 1px solid var(--line); padding-top: 1.2rem; max-width: none; margin: 0; }

@media screen and (min-width: 70rem) { .head { flex-wrap: nowrap; } .contents { flex: 1 1 0; } }
@media screen and (max-width: 23rem) { .strips th, .numbers dd { white-space: normal; } }
@media screen and (max-width: 70rem) { html { scroll-padding-top: 6.8rem; } }
@media screen and (max-width: 56rem) { .shown, .verdict, .glance { grid-template-columns: minmax(0, 1fr); } }
@media screen and (max-width: 64rem) {
  .findings { grid-template-columns: minmax(0, 1fr); } .found { position: static; max-height: none; margin-bottom: 1rem; }
}
@media screen and (max-width: 46rem) {
  html { font-size: 15px; }
  main, .masthead, footer, .head { padding-left: 1rem; padding-right: 1rem; }
  .head { flex-wrap: wrap; gap: .3rem .9rem; } .filters { width: 100%; }
  .contents { flex: 1 1 0; }
  .verdict { padding: .8rem 1rem; } .numbers { gap: .8rem; }
  .cause { padding-left: .8rem; padding-right: .8rem; }
  .unlooked thead { display: none; } .unlooked tr { display: grid; grid-template-columns: 1fr auto; border-bottom: 1px solid var(--line); } .unlooked td { border: 0; } .unlooked td:last-child { grid-column: 1 / -1; padding-top: 0; }
  .clauses thead { display: none; } .clauses tr:not([hidden]) { display: grid; grid-template-columns: 1fr auto; border-bottom: 1px solid var(--line); }
  .clauses td { border: 0; padding: .3rem 0; width: auto !important; } .clauses td:first-child { grid-column: 1 / -1; padding-bottom: 0; } .clauses td:nth-child(3) { grid-row: 2; grid-column: 1; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --raised: #fff; --sunken: #f6f6f6; --ink: #000; --soft: #555; --line: #ccc; }
  html { font-size: 10.5pt; } .masthead { padding-top: 0; }
  .head, .found, .around, .copy, .skip { display: none !important; }
  .verdict, .shown, tr, .callout, .roots li { break-inside: avoid; } h2, h3, caption { break-after: avoid; }
  .exchange, .elsewhere, .which, .others { display: none !important; }
  .follows .shown, .follows .origin, .follows .also { display: none; } .findings { display: block; } .causes > .cause { display: block !important; padding: .6rem 0; border-width: 2px 0 0; border-radius: 0; background: none; } .cause + .cause { margin-top: .4rem; } .shown { grid-template-columns: minmax(0, 1fr); } .excerpt { max-height: none; }
  .clauses table, .clauses tbody { display: block; } .clauses thead { display: none; }
  .clauses tr:is(:not([data-verdict]), [data-verdict='not exercised']) { display: inline; } .clauses tr:is(:not([data-verdict]), [data-verdict='not exercised']) td { display: none; }
  .clauses tr:is(:not([data-verdict]), [data-verdict='not exercised']) td:first-child { display: inline; padding: 0; border: 0; font-size: 0; } .clauses tr:is(:not([data-verdict]), [data-verdict='not exercised']) td:first-child b { display: inline; font-size: 8pt; margin-right: 1em; }
  .clauses tr[data-verdict='not exercised'] td:first-child b::after { content: ' (not exercised)'; font-family: var(--sans); }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`

/** The style of the report, without external fonts, images or addresses. */
export const style = `${common}${loadStyle}${statesStyle}`.replaceAll(/\n\s*/g, '\n').replaceAll('; }', '}')
