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
progress { width: 100%; height: 1rem; accent-color: var(--link); }
ul.told { padding-left: 1.1rem; overflow-wrap: anywhere; } ul.told li { margin: .4rem 0; } ul.told small { display: block; color: var(--soft); }
section.situation { border-top: 1px solid var(--line); padding: .6rem 0; } section.situation h3 { margin: 0 0 .3rem; } section.situation h3 small { color: var(--soft); font-weight: 400; }
section.situation.under-way { border-left: 4px solid var(--link); padding-left: .9rem; }
dl.copyable dd { margin: 0 0 .6rem; } dl.copyable dd { display: flex; flex-direction: row-reverse; justify-content: flex-end; align-items: center; }
dl.copyable pre { padding: .3rem .6rem; margin: 0; }
.warning { border-left: 4px solid var(--blocked); padding-left: .8rem; }
pre.change ins { text-decoration: none; color: var(--conforms); } pre.change del { text-decoration: none; color: var(--violates); }
.besides { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: end; margin: .5rem 0; } .besides form.ui { display: flex; gap: .5rem; align-items: end; margin: 0; }
`
