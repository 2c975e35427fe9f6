/** The style of the tables of states. */
export const statesStyle = `
.machines { columns: 24rem 2; column-gap: 2rem; } .machine { break-inside: avoid; }
.machine h3 { margin: 0 0 .4rem; padding-top: .9rem; } .machine .tally { font-weight: 400; color: var(--soft); font-size: .87rem; margin-left: .4rem; }
.machine h4 { margin: .4rem 0 .2rem; font-size: .85rem; color: var(--soft); } .machine ul { margin: 0; padding-left: 1.1rem; font-size: .9rem; } .machine li { margin: .15rem 0; overflow-wrap: anywhere; }
.machine small { color: var(--soft); margin-left: .4rem; }
`
