/** The script of pages that need a server: keeps parts up to date, and copies the target of a link. */
export const uiScript = `
(() => {
  'use strict'
  for (const region of document.querySelectorAll('[data-stream]')) {
    const source = new EventSource(region.dataset.stream)
    source.addEventListener('part', ({ data }) => {
      const { id, html } = JSON.parse(data)
      const part = document.getElementById('part-' + id)
      // The server has escaped every text in it, and the content security policy forbids inline scripts.
      if (part && part.innerHTML !== html) part.innerHTML = html
    })
    source.addEventListener('over', () => source.close())
  }
  document.addEventListener('click', async event => {
    const link = event.target.closest('a[data-copies]')
    if (!link || !navigator.clipboard) return
    event.preventDefault()
    await navigator.clipboard.writeText(await (await fetch(link.href)).text())
    link.textContent = 'Copied'
  })
})()
`

/** The style of those pages, after that of the site. */
export const uiStyle = `
form.ui { display: grid; gap: .8rem; margin: 1rem 0; max-width: 46rem; } form.ui.inline { display: inline-block; margin: .2rem .6rem .2rem 0; }
form.ui.row { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem; } form.ui.row label { flex: 0 1 24rem; }
form.ui label { display: grid; gap: .25rem; font-size: .9rem; } form.ui label.choice { display: inline-flex; gap: .35rem; align-items: center; margin: .15rem .9rem .15rem 0; }
form.ui fieldset { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .9rem; margin: 0; min-width: 0; }
form.ui input:not([type=checkbox]), form.ui select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 5px; padding: .4rem .6rem; width: 100%; max-width: 100%; box-sizing: border-box; }
form.ui button { font: 500 .95rem var(--sans); color: var(--paper); background: var(--ink); border: 1px solid var(--ink); border-radius: 5px; padding: .45rem 1.1rem; cursor: pointer; min-height: 2.4rem; justify-self: start; }
form.ui span { color: var(--soft); font-size: .88rem; } form.ui p { margin: 0; }
form.ui button.quiet { color: var(--ink); background: none; border-color: var(--soft); font-weight: 400; }
.columns { display: grid; gap: 0 3rem; grid-template-columns: minmax(0, 1fr); } @media screen and (min-width: 64rem) { .columns:has(> .column + .column) { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } .columns > .column:nth-child(2) { grid-column: 2; grid-row: 1 / span 2; } .columns > .column:nth-child(3) { grid-column: 1; } }
.columns h2 { margin: 1.4rem 0 .4rem; font-size: 1.15rem; } .column > :first-child > h2 { margin-top: .8rem; }
.result { background: var(--raised); border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 8px; padding: .9rem 1.3rem; margin: .8rem 0; } .result p { margin: .3rem 0; } .verdict-word .word { font-size: 1.5rem; font-weight: 600; color: var(--tone); } .verdict-word .word::first-letter { text-transform: uppercase; }
a.button { display: inline-block; background: var(--ink); color: var(--paper); border-radius: 5px; padding: .5rem 1.2rem; text-decoration: none; font-weight: 500; }
@media screen and (max-width: 30rem) { .arriving .in { display: none; } }
.arriving .at { white-space: nowrap; }
progress { width: 100%; height: 1rem; accent-color: var(--link); }
ul.told { padding-left: 1.1rem; overflow-wrap: anywhere; } ul.told li { margin: .4rem 0; } ul.told small { display: block; color: var(--soft); }
section.current { background: var(--raised); border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 8px; padding: .2rem 1.2rem .8rem; margin: .6rem 0 1.2rem; } section.current.under-way { border-left-color: var(--link); } section.current h2 small { color: var(--soft); font-weight: 400; font-size: .85rem; }
details.situation { border-top: 1px solid var(--line); padding: .35rem 0; } details.situation small { color: var(--soft); } details.situation.under-way > summary { font-weight: 600; } details.situation .marks { display: inline-block; width: 1.2em; color: var(--soft); } details.situation.broke-here .marks { color: var(--violates); }
.arriving { max-height: 70vh; overflow-y: auto; } .arriving td { font-size: .86rem; padding-top: .25rem; padding-bottom: .25rem; overflow-wrap: anywhere; } @media screen and (min-width: 64rem) { .column > #part-requests { position: sticky; top: 1rem; } }
dl.copyable { display: flex; flex-wrap: wrap; gap: .4rem 2rem; } dl.copyable div, dl.copyable dd { min-width: 0; max-width: 100%; } dl.copyable dd { margin: 0 0 .3rem; display: flex; flex-direction: row-reverse; justify-content: flex-end; align-items: center; }
dl.copyable pre { padding: .3rem 4.5rem .3rem .6rem; margin: 0; }
.warning { border-left: 4px solid var(--blocked); padding-left: .8rem; }
pre.change ins { text-decoration: none; color: var(--conforms); } pre.change del { text-decoration: none; color: var(--violates); }
.besides { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: end; margin: .5rem 0; } .besides form.ui { display: flex; gap: .5rem; align-items: end; margin: 0; }
`
