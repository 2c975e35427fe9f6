/** The style of a site in addition to that of the report. */
export const ownStyle = `
.sitebar { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; align-items: baseline; padding: .7rem 1.5rem; background: var(--raised); border-bottom: 1px solid var(--line); font-size: .92rem; }
.sitebar b { font-weight: 600; margin-right: .5rem; } .sitebar [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.whole main, .page main { padding-bottom: 4rem; } @media screen and (min-width: 80rem) { .whole main { max-width: 82rem; } }
.deployment { background: var(--raised); border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 8px; padding: 1.1rem 1.5rem 1.3rem; margin: 1.5rem 0; }
main .deployment > h2 { margin: 0; } .deployment h3 { margin: 1.2rem 0 .4rem; }
.deployment .address { margin: .1rem 0 .5rem; font-size: .9rem; } .deployment .word { color: var(--tone); font-weight: 600; }
.runs td, .runs th { white-space: nowrap; } .runs td.wide { white-space: normal; min-width: 11rem; }
.runs .word { display: inline-flex; align-items: baseline; font-weight: 600; color: var(--tone); }
.runs .tone-unseen.word, .runs .tone-none.word, .tone-unseen.word, .tone-none.word { color: var(--soft); }
.broke { color: var(--violates); } .mended { color: var(--conforms); }
.since { list-style: none; padding: 0; margin: 0; display: grid; gap: .45rem; } .since li { overflow-wrap: anywhere; } .since small { color: var(--soft); display: block; }
.matrix { direction: rtl; } .matrix table { direction: ltr; width: auto; margin-right: auto; } .matrix th, .matrix td { padding: 0; text-align: center; }
.matrix tbody th { position: sticky; left: 0; background: var(--raised); text-align: left; padding: .3rem .9rem .3rem 0; white-space: nowrap; color: var(--ink); font-size: .86rem; }
.matrix thead th { vertical-align: bottom; height: 4.6rem; min-width: 1.5rem; } .matrix thead th span { writing-mode: vertical-rl; transform: rotate(180deg); font-size: .74rem; font-weight: 400; padding: .2rem 0; } .matrix thead th a { text-decoration: none; }
.matrix td { font: .78rem/1 var(--mono); } .matrix td a, .matrix td > span { display: block; padding: .45rem .15rem; text-decoration: none; min-width: 1.5rem; }
.matrix .c, .matrix .c a { color: var(--conforms); } .matrix .v, .matrix .v a { color: var(--violates); background: var(--violates-wash); font-weight: 700; } .matrix .b, .matrix .b a { color: var(--blocked); } .matrix .e, .matrix .e a { color: var(--error); } .matrix .n, .matrix .n a, .matrix .o { color: var(--soft); }
.run.hollow .mark { background: none; box-shadow: inset 0 0 0 2px var(--tone); } .runs tr.hollow td { color: var(--soft); }
.matrix td.hollow { background: none; } .matrix td.hollow > :first-child { outline: 1px dashed currentcolor; outline-offset: -4px; font-weight: 400; } .matrix td.o.hollow > :first-child { outline: 0; } .matrix th.hollow a { color: var(--soft); font-style: italic; }
.clause-list > details { padding: .3rem 0; border-top: 1px solid var(--line); } .clause-list summary { padding: .25rem 0; overflow-wrap: anywhere; } .clause-list > details:target { background: var(--sunken); } .clause-list ul { margin: .2rem 0 .4rem; color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.clause-list .c { color: var(--conforms); } .clause-list .v { color: var(--violates); } .clause-list .n { color: var(--soft); }
.beside { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: center; margin: .9rem 0 0; font-size: .9rem; }
.changes { padding-left: 1.2rem; } .changes li { overflow-wrap: anywhere; margin: .35rem 0; } .changes small { display: block; color: var(--soft); }
@media screen and (max-width: 46rem) { .sitebar, .deployment { padding-left: 1rem; padding-right: 1rem; } }
@media print { .sitebar, .beside { display: none; } .deployment { break-inside: avoid; } .matrix { direction: ltr; } .scroll { overflow: visible; }
  .matrix thead th, .matrix td a, .matrix td > span { min-width: 0; padding-left: 0; padding-right: 0; } .runs { font-size: .8rem; } .runs td, .runs th { padding-right: .5rem; } .runs td.wide { min-width: 0; overflow-wrap: anywhere; } }
`
