import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { readHistory } from '../history/read-history.ts'
import { exampleNdjson, exampleRecord } from '../testing/example.ts'
import type { Site } from './overview-page.ts'
import { render, writeSite } from './write-site.ts'

let dir: string
let runs: string

beforeEach(() => {
  dir = temporaryFolder()
  runs = join(dir, 'runs')
  for (const day of [1, 2, 3]) store(day)
})

function store(day: number): void {
  writeRecord(`run-${day}`, record(day))
  writeFileSync(join(runs, `run-${day}`, 'exchanges.ndjson'), exampleNdjson)
}

const record = (day: number): RunRecord => ({ ...exampleRecord, startedAt: `2027-03-0${day}T10:00:00Z` })

function writeRecord(run: string, record: object): void {
  mkdirSync(join(runs, run), { recursive: true })
  writeFileSync(join(runs, run, 'record.json'), JSON.stringify(record))
}

const plain: Site = { link: target => `/${encodeURIComponent(JSON.stringify(target))}`, actions: null }

test('pages say of each finding since when it is broken, as known at the time of the run', async () => {
  const kept = exampleRecord.clauses.map(row => ({ ...row, verdict: 'conforms', findings: [] }))
  writeRecord('run-1', { ...record(1), clauses: kept })
  const pageOf = async (run: string) => (await render({ page: 'run', run }, readHistory(runs), plain))!
  expect(await pageOf('run-2')).toContain('<span>new in this run</span>')
  expect(await pageOf('run-3')).toMatch(/<span>broken since <a href="[^"]*run-2[^"]*">/)
})

test('clauses that a run did not exercise never look conforming: stopped early, exercised in part, last seen earlier', async () => {
  const halted = 'it was interrupted'
  const unseen = { verdict: 'not exercised', reason: `the run ended first: ${halted}`, findings: [] } as const
  const clauses = exampleRecord.clauses.map(row => (row.findings.length === 0 ? row : { ...row, ...unseen }))
  const checks = exampleRecord.checks.map(one => ({ ...one, ...unseen }))
  for (const day of [1, 2, 3]) writeRecord(`run-${day}`, record(day))
  writeRecord('run-4', { ...record(4), halted, clauses, checks })
  const history = readHistory(runs)
  const overview = await render({ page: 'overview' }, history, plain)
  expect(overview).toMatch(/in the newest whole run, <a [^>]*>2027-03-03 10:00<\/a>: [1-9]\d* clauses broken/)
  expect(overview).toMatch(
    /Since then, 1 run[^<]*<a [^>]*>2027-03-04 10:00<\/a> \(ended early: it was interrupted\)/,
  )
  expect(overview).toMatch(/title="[^"]*">◧<[\s\S]*ended early: it was/)
  // The same where no run covers the whole.
  for (const day of [1, 2, 3]) writeRecord(`run-${day}`, { ...record(day), only: 'V2-*' })
  const parts = (await render({ page: 'overview' }, readHistory(runs), plain))!
  expect(parts).toMatch(/0 clauses broken[^<]*<strong>It ended early: it was interrupted\./)
  expect(parts).toMatch(/Broken when last exercised \((\d+)\)[\s\S]*0 in that run; \1 in an earlier one/)
  const all = checks.length
  expect(await render({ page: 'run', run: 'run-4' }, history, plain)).toContain(
    `${all} of ${all} checks were cut off or never begun`,
  )
  const begun = await render({ page: 'overview' }, { ...history, unread: 7 }, plain)
  expect(begun).toContain('7 older runs still to be read')
})

describe('a site', () => {
  test('lists runs whose records are read no longer, and is written of the others', async () => {
    const [first, ...others] = exampleRecord.checks
    writeRecord('run-4', { ...record(4), checks: [{ ...first, milliseconds: '0' }, ...others] })
    writeRecord('run-5', { ...record(5), undecided: 7 })
    const out = join(dir, 'public')
    const history = readHistory(runs)
    expect(history.unreadable).toEqual([])
    expect(await writeSite(history, out, 5)).toMatchObject({
      runs: { kept: 3, all: 5 },
      unreadable: 2,
    })
    const overview = readFileSync(join(out, 'index.html'), 'utf8')
    for (const run of ['run-4', 'run-5'])
      expect(overview).toMatch(
        new RegExp(`${run}.*record.json is not a record that this version understands`),
      )
    expect(overview).not.toContain(dir)
    await expect(render({ page: 'run', run: 'run-4' }, history, plain)).rejects.toThrow('not a record that')
  })

  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.(html|css|js)$/.test(file))

  test('is complete: every link leads to one of its pages, and the runs are unchanged', async () => {
    const before = readdirSync(runs, { recursive: true }).sort()
    const out = join(dir, 'public')
    const history = readHistory(runs)
    const { pages, runs: kept } = await writeSite(history, out, 2)
    const files = filesIn(out)
    expect(files).toHaveLength(pages)
    expect(kept).toEqual({ kept: 2, all: 3 })
    expect(files.filter(file => file.endsWith('index.html')).sort()).toEqual([
      'index.html',
      'runs/run-2/index.html',
      'runs/run-3/index.html',
    ])
    for (const file of files.filter(one => one.endsWith('.html'))) {
      const page = readFileSync(join(out, file), 'utf8')
      expect(page).toContain("default-src 'none'".replaceAll("'", '&#39;'))
      for (const [, address, anchor] of page.matchAll(/(?:href|src)="([^"#]+)(?:#([^"]+))?/g)) {
        const target = join(out, dirname(file), address!)
        expect(existsSync(target), `${file}: ${address}`).toBe(true)
        if (anchor !== undefined && target.includes('/runs/'))
          expect(readFileSync(target, 'utf8'), `${file}: ${address}#${anchor}`).toContain(`id="${anchor}"`)
      }
    }
    expect(
      readdirSync(runs, { recursive: true })
        .filter(file => !`${file}`.startsWith('.'))
        .sort(),
    ).toEqual(before)
  })

  test('never overwrites other files', async () => {
    const history = readHistory(runs)
    await expect(writeSite(history, runs, 1)).rejects.toThrow('holds other files')
    expect(readdirSync(runs)).toContain('run-1')
  })
})
