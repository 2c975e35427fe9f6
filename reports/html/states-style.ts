/** The style of state diagrams. Line and shape show what was visited, so that no colour is needed. */
export const statesStyle = `
.machines { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; align-items: start; } @media (min-width: 64rem) { .machines { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.machine h3 { margin: 1.2rem 0 .4rem; } .machine .tally { font-weight: 400; color: var(--soft); font-size: .87rem; margin-left: .4rem; }
.machine .scroll { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .4rem; margin: 0 0 .6rem; }
.machine td:nth-child(3) { width: 12rem; } .machine td { padding-top: .25rem; padding-bottom: .25rem; } .machine small { color: var(--soft); margin-left: .4rem; }
.machine td.number, .machine th.number { width: 3.2rem; }
svg.states { display: block; font: 13px var(--sans); } @media screen and (min-width: 64rem) { .machine svg.states { max-width: 100%; height: auto; } } .legend svg.states { display: inline-block; vertical-align: middle; margin-right: .3rem; }
svg.states text { text-anchor: middle; dominant-baseline: central; fill: var(--ink); }
svg.states .state rect { fill: var(--sunken); stroke: var(--ink); stroke-width: 1.25; } svg.states .state text { font-weight: 600; }
svg.states .way { fill: none; stroke: var(--ink); stroke-width: 1.75; } svg.states .tip { fill: var(--ink); }
svg.states .unvisited .way { stroke-width: 1.25; stroke-dasharray: 5 4; stroke: var(--soft); } svg.states .unvisited .tip { fill: var(--soft); }
svg.states .broken-way .way { stroke-width: 4; stroke: var(--violates); } svg.states .broken-way .tip { fill: var(--violates); }
svg.states .label text { font-size: 11px; font-weight: 600; }
svg.states .label.visited circle { fill: var(--ink); stroke: var(--ink); } svg.states .label.visited text, svg.states .label.broken-way text { fill: var(--paper); }
svg.states .label.unvisited circle { fill: var(--paper); stroke: var(--soft); stroke-dasharray: 3 2.5; }
svg.states .label.broken-way rect { fill: var(--violates); stroke: var(--violates); }
@media screen and (max-width: 46rem) {
  .machine thead { display: none; } .machine tr { display: grid; grid-template-columns: 2rem 1fr; border-bottom: 1px solid var(--line); }
  .machine td, .machine td.number, .machine td:nth-child(3) { border: 0; width: auto; padding: .3rem 0; } .machine td:nth-child(3) { grid-column: 2; padding-top: 0; } .machine td.number { text-align: left; }
}
@media print { .machine { break-inside: avoid; } .machine .scroll { overflow: visible; } .machine svg.states { max-width: 100%; height: auto; } .legend svg.states { height: 26px; } }
`
