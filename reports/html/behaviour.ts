/** Script of the report: filters, copying, and opening what a link points to. The report is whole without it. */
export const behaviour = `
(() => {
  'use strict'
  const form = document.querySelector('.filters')
  const rows = [...document.querySelectorAll('tr[data-verdict]')]
  const text = new Map(rows.map(row => [row, row.textContent.toLowerCase()]))
  const shown = () => {
    const { verdict, level, words } = Object.fromEntries(new FormData(form))
    const wanted = words.toLowerCase().split(/\\s+/).filter(Boolean)
    let count = 0
    for (const row of rows) {
      const fits = (!verdict || row.dataset.verdict === verdict) && (!level || row.dataset.level === level) &&
        wanted.every(word => text.get(row).includes(word))
      row.hidden = !fits
      if (fits) count++
    }
    for (const table of document.querySelectorAll('.clauses table')) {
      table.parentElement.hidden = !table.querySelector('tr[data-verdict]:not([hidden])')
    }
    form.querySelector('output').value = count === rows.length ? rows.length + ' clauses' : count + ' of ' + rows.length + ' clauses'
  }
  if (form) {
    form.hidden = false
    form.addEventListener('input', shown)
    form.addEventListener('submit', event => event.preventDefault())
    shown()
  }

  for (const pre of document.querySelectorAll('pre[data-copy]')) {
    if (!navigator.clipboard) break
    const button = Object.assign(document.createElement('button'), { className: 'copy', type: 'button', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
    pre.previousElementSibling.append(button)
  }

  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
    if (target) target.scrollIntoView()
  }
  addEventListener('hashchange', reveal)
  reveal()

  let opened = []
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')]
    for (const details of opened) details.open = true
  })
  addEventListener('afterprint', () => { for (const details of opened) details.open = false })
})()
`
