/** The style of the tables of states. */
export const statesStyle = `
.machines { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; align-items: start; } @media (min-width: 64rem) { .machines { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.machine h3 { margin: 1.2rem 0 .4rem; } .machine .tally { font-weight: 400; color: var(--soft); font-size: .87rem; margin-left: .4rem; }
.machine td:nth-child(2) { width: 12rem; } .machine td { padding-top: .25rem; padding-bottom: .25rem; } .machine small { color: var(--soft); margin-left: .4rem; }
@media screen and (max-width: 46rem) {
  .machine thead { display: none; } .machine tr { display: grid; border-bottom: 1px solid var(--line); }
  .machine td, .machine td:nth-child(2) { border: 0; width: auto; padding: .3rem 0; } .machine td:nth-child(2) { padding-top: 0; }
}
@media print { .machine { break-inside: avoid; } }
`
