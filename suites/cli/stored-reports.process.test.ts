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
