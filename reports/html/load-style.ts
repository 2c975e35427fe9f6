/** The style of load runs. Lines differ in lightness and dashes too, for readers without colour vision. */
export const loadStyle = `
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
