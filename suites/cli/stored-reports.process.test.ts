import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { writeRun } from '../../reports/folder/write.ts'
import { exampleNdjson, exampleRecord } from '../../reports/testing/example.ts'
import { freshFolder, runTss } from './testing/command.ts'

const folder = freshFolder(untilFileEnds())

beforeAll(async () => {
  writeFileSync(join(folder, 'exchanges.ndjson'), exampleNdjson)
  await writeRun(exampleRecord, folder, { env: {} })
})

describe('travel-sales report', () => {
  test('writes every report again as it was', async () => {
    const files = ['report.html', 'junit.xml', 'summary.md']
    // The next steps in a report are commands for the place where it is written, so the command writes both.
    await runTss(['report', folder])
    const before = files.map(file => readFileSync(join(folder, file), 'utf8'))
    for (const file of files) rmSync(join(folder, file))
    const { code, stdout } = await runTss(['report', folder])
    expect(stdout).toContain('VIOLATES')
    expect(files.map(file => readFileSync(join(folder, file), 'utf8'))).toEqual(before)
    expect(code).toBe(0)
  })

  test('says where the page is when nothing opens it', async () => {
    const { code, stderr } = await runTss(['report', folder, '--open'], { env: { PATH: '/nowhere' } })
    expect(stderr).toMatch(/^No program opens \S+report\.html here/)
    expect(code).toBe(0)
  })
})

describe('travel-sales compare', () => {
  async function other(change: (record: typeof exampleRecord) => typeof exampleRecord): Promise<string> {
    const there = freshFolder()
    await writeRun(change(exampleRecord), there, { env: {} })
    return there
  }

  test('a run against itself differs in nothing', async () => {
    const { code, stdout } = await runTss(['compare', folder, folder])
    expect(stdout).toContain('Still broken (3)')
    expect(stdout).not.toContain('Newly broken')
    expect(code).toBe(0)
  })

  test('a run that selected something else ends with 3, and says so first', async () => {
    const selected = await other(record => ({ ...record, only: 'V2-OTHER', clauses: [] }))
    const { code, stdout } = await runTss(['compare', folder, selected])
    expect(stdout).toMatch(/^.* against .*\nThe later run selected V2-OTHER: it left out \d+ clauses/)
    expect(stdout).toContain('Nothing was compared: no clause was exercised in both runs.')
    expect(code).toBe(3)
  })

  test('what is newly broken ends with 1', async () => {
    const clean = await other(record => ({
      ...record,
      clauses: record.clauses.map(row => ({ ...row, findings: [], verdict: 'conforms' as const })),
    }))
    const { code, stdout } = await runTss(['compare', clean, folder])
    expect(stdout).toMatch(/Newly broken \(3\)\n {2}V2-IDEM-REPLAY: POST .*\n/)
    expect(code).toBe(1)
    const json = await runTss(['compare', folder, clean, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ broken: [], fixed: { length: 3 } })
    expect(json.code).toBe(0)
  })
})
