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
  // Findings, of which one is shown at a time. What follows from another comes first, since it keeps that in sight.
  const found = [...document.querySelectorAll('.found li')].reverse()
  const causes = [...document.querySelectorAll('.cause')]
  const linkTo = cause => document.querySelector('.found a[href="#' + cause.id + '"]')
  const clausesOf = item => item.dataset.clauses.split(' ').map(id => document.getElementById('clause-' + id)).filter(Boolean)
  for (const item of found) {
    const cause = document.getElementById(item.querySelector('a').hash.slice(1))
    const parts = [item, ...(cause?.querySelectorAll('header, .message, .pair, .also') ?? []), ...clausesOf(item)]
    text.set(item, parts.map(part => part.textContent.toLowerCase()).join(' '))
  }
  const choose = cause => {
    for (const one of causes) one.classList.toggle('chosen', one === cause)
    for (const link of document.querySelectorAll('.found [aria-current]')) link.removeAttribute('aria-current')
    const link = linkTo(cause)
    link?.setAttribute('aria-current', 'true')
    const folded = link?.closest('details')
    if (folded) folded.open = true
    // Keeps it in sight within the list, without a move of the page.
    const list = link?.closest('.found')
    if (!list) return
    const { top } = link.getBoundingClientRect()
    const from = list.getBoundingClientRect().top
    if (top < from || top > from + list.clientHeight - 60) list.scrollTop += top - from - list.clientHeight / 2
  }
  if (causes.length > 0) {
    causes[0].parentElement.classList.add('scripted')
    choose(causes[0])
  }
  document.querySelector('.found')?.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const links = [...document.querySelectorAll('.found a')].filter(link => link.offsetParent)
    const next = step && links[links.indexOf(document.activeElement) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  })
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
    const suits = row => {
      const judged = verdictOf(row, kind)
      return judged && (!verdict || judged === verdict) && (!level || (row.dataset.level ?? 'must') === level) &&
        (!area || row.closest('.area').dataset.area === area)
    }
    let count = 0
    for (const row of rows) {
      const fits = suits(row) && wanted.every(word => text.get(row).includes(word))
      if (row.hidden !== !fits) row.hidden = !fits
      if (fits) count++
    }
    const any = Object.keys(filters()).length > 0
    for (const part of document.querySelectorAll('.clauses table, .clauses .others, .clauses .area')) {
      part.hidden = !part.querySelector('tr[id]:not([hidden])')
      if (part.matches('details')) part.open = any ? !part.hidden : (open.get(part) ?? false)
    }
    for (const item of found) {
      const fits = clausesOf(item).some(row => suits(row)) && wanted.every(word => text.get(item).includes(word))
      item.hidden = !fits && !item.querySelector('li:not([hidden])')
    }
    const first = document.querySelector('.found li:not([hidden]) > a')
    if (first && document.querySelector('.found li[hidden] > [aria-current]')) choose(document.getElementById(first.hash.slice(1)))
    form.querySelector('output').value = (any ? count.toLocaleString('en') + ' of ' : '') + rows.length.toLocaleString('en')
  }
  // The address has what is shown: a finding, or the clauses, and the filters.
  const write = id => {
    const query = new URLSearchParams(filters()).toString()
    history.replaceState(null, '', '#' + id + (query && '?' + query))
  }
  const apply = values => {
    for (const field of form.elements) if (field.name) field.value = values.get(field.name) ?? ''
    filter()
  }
  if (form) {
    form.hidden = false
    form.addEventListener('submit', event => {
      event.preventDefault()
      document.getElementById('clauses').scrollIntoView()
    })
    form.addEventListener('input', () => {
      filter()
      const [id] = location.hash.slice(1).split('?')
      write(id.startsWith('cause-') ? id : 'clauses')
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
    const both = Object.assign(document.createElement('div'), { className: 'copies' })
    pre.replaceWith(both)
    both.append(button, pre)
  }

  const reveal = () => {
    const [id, query] = decodeURIComponent(location.hash.slice(1)).split('?')
    if (form && query !== undefined) apply(new URLSearchParams(query))
    const target = id && document.getElementById(id)
    if (!target) return
    const cause = target.closest('.cause')
    if (cause) choose(cause)
    if (form && query === undefined && (cause === target || id === 'clauses')) write(id)
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
