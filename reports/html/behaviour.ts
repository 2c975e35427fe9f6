/**
 * The script of the report: filters stored in the URL, copying, and opening the target of a link. The report is
 * complete without it.
 */
export const behaviour = `
(() => {
  'use strict'
  const form = document.querySelector('.filters')
  const rows = [...document.querySelectorAll('.clauses tr[id]')]
  const text = new Map(rows.map(row => [row, row.textContent.toLowerCase()]))
  // With a kind of product selected, its own verdict counts.
  const verdictOf = (row, kind) => {
    const whole = row.dataset.verdict ?? 'conforms'
    if (!kind) return whole
    const kinds = row.dataset.kinds ?? row.closest('.area').dataset.kinds ?? ''
    if (kinds === 'all') return whole
    const told = kinds.split(',').map(entry => entry.split('=')).find(([name]) => name === kind)
    return told && (told[1] ?? whole)
  }
  const areas = [...document.querySelectorAll('.clauses .area')]
  const open = new Map(areas.map(area => [area, area.open]))
  const filters = () => Object.fromEntries([...new FormData(form)].filter(([, value]) => value))
  const filter = () => {
    const { verdict, kind, level, area, words = '' } = filters()
    const wanted = words.toLowerCase().split(/\\s+/).filter(Boolean)
    let count = 0
    for (const row of rows) {
      const judged = verdictOf(row, kind)
      const fits = judged && (!verdict || judged === verdict) && (!level || (row.dataset.level ?? 'must') === level) &&
        (!area || row.closest('.area').dataset.area === area) && wanted.every(word => text.get(row).includes(word))
      if (row.hidden !== !fits) row.hidden = !fits
      if (fits) count++
    }
    const any = Object.keys(filters()).length > 0
    for (const part of document.querySelectorAll('.clauses table, .clauses .others, .clauses .area')) {
      part.hidden = !part.querySelector('tr[id]:not([hidden])')
      if (part.matches('details')) part.open = any ? !part.hidden : (open.get(part) ?? false)
    }
    form.querySelector('output').value = any ? count + ' of ' + rows.length + ' clauses' : rows.length + ' clauses'
  }
  const apply = values => {
    for (const field of form.elements) if (field.name) field.value = values.get(field.name) ?? ''
    filter()
  }
  if (form) {
    form.hidden = false
    form.addEventListener('submit', event => event.preventDefault())
    form.addEventListener('input', () => {
      filter()
      const query = new URLSearchParams(filters()).toString()
      history.replaceState(null, '', query ? '#clauses?' + query : '#clauses')
    })
    filter()
  }

  for (const pre of document.querySelectorAll('pre[data-copy]')) {
    if (!navigator.clipboard) break
    const button = Object.assign(document.createElement('button'), { className: 'copy', type: 'button', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
    pre.before(button)
  }

  const reveal = () => {
    const [id, query] = decodeURIComponent(location.hash.slice(1)).split('?')
    if (form && query !== undefined) apply(new URLSearchParams(query))
    const target = id && document.getElementById(id)
    if (!target) return
    // A row that the filters hide is shown if a link leads to it.
    if (form && target.matches('.clauses tr[id]') && target.hidden) apply(new URLSearchParams())
    for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
    target.scrollIntoView()
  }
  addEventListener('beforeprint', () => { for (const area of areas) area.open = true })
  addEventListener('hashchange', reveal)
  reveal()
})()
`
