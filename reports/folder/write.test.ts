import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { Failure } from '../../fixtures/run/failure.ts'
import { newestOf } from '../history/history.ts'
import { readHistory } from '../history/read-history.ts'
import { exampleExchanges, exampleNdjson, exampleRecord } from '../testing/example.ts'
import { openRun, RunNotReadable, readRun, writeRun } from './write.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

const file = (name: string): string => join(dir, name)

test('writing: says which file could not be written and what to do, and leaves no incomplete file', async () => {
  await mkdir(file('report.html'))
  await writeFile(file('report.html/in-the-way'), '')
  const failure = await writeRun(exampleRecord, dir, { env: {} }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Failure)
  expect((failure as Failure).message).toBe(
    `${file('report.html')} could not be written (EISDIR): a folder of that name is in the way: remove it, or give another folder with --out.`,
  )
  expect((await readdir(dir)).sort()).toEqual(['junit.xml', 'record.json', 'report.html', 'summary.md'])
})

test('writing: says that it is a fault of the kit where a report cannot be made', async () => {
  const broken = { ...exampleRecord, clauses: undefined } as unknown as RunRecord
  await expect(writeRun(broken, dir, { env: {} })).rejects.toThrow(
    /report\.html could not be made \(Cannot .*\): a fault of the kit, please report it\. record\.json holds the run\.$/,
  )
  expect(await readdir(dir)).toEqual(['record.json'])
})

describe('reading', () => {
  test('gives back the record that was written, and the exchanges asked for', async () => {
    await writeFile(file('exchanges.ndjson'), exampleNdjson)
    await writeRun(exampleRecord, dir, { env: {} })
    const run = await readRun(dir)
    // One of its texts holds half a character.
    expect(run.record).toEqual(JSON.parse(JSON.stringify(exampleRecord).replaceAll('\\ud800', '\ufffd')))
    const found = await run.exchanges(['a4', 'b2', 'nowhere'])
    expect([...found.keys()]).toEqual(['a4', 'b2'])
    expect(found.get('a4')).toEqual(exampleExchanges[1])
  })

  test('the newest run is no replay, and any run is found by its name', async () => {
    const runs = { '20260101T000000-1': {}, '20260102T000000-1': { replayOf: '20260101T000000-1' } }
    for (const [run, over] of Object.entries(runs)) {
      await mkdir(file(run))
      await writeRun({ ...exampleRecord, run, ...over }, file(run), { env: {} })
    }
    const opened = async (wanted: string | undefined) => (await openRun(wanted, dir))?.record.run
    expect(await opened(undefined)).toBe('20260101T000000-1')
    expect(await opened('20260102T000000-1')).toBe('20260102T000000-1')
    expect(await opened(file('20260102T000000-1'))).toBe('20260102T000000-1')
    await expect(opened('20260103T000000-1')).rejects.toThrow(file('20260103T000000-1'))
    const { judged } = readHistory(dir)
    expect(newestOf(judged[0]!).id).toBe('20260101T000000-1')
  })

  test('ignores truncated and invalid lines, and a missing file', async () => {
    const torn = JSON.stringify({ ...exampleExchanges[0]!, id: 'torn' })
    await writeRun(exampleRecord, dir, { env: {} })
    const found = async () => [
      ...(await (await readRun(dir)).exchanges(['a3', 'b2', 'torn', 'foreign'])).keys(),
    ]
    expect(await found()).toEqual([])
    await writeFile(
      file('exchanges.ndjson'),
      `not json\n{"id":"foreign"}\n${exampleNdjson}\n${torn.slice(0, -40)}`,
    )
    expect(await found()).toEqual(['a3', 'b2'])
  })

  test.each([
    ['nothing', undefined, 'There is no record to read in'],
    ['half a record', '{"schemaVersion": "1.0", ', 'is not JSON'],
    ['something else', '{"schemaVersion": "1.0"}', 'is not a record that this version understands'],
    [
      'a later format',
      JSON.stringify({ ...exampleRecord, schemaVersion: '2.0' }),
      'read it with the version of the kit',
    ],
  ])('%s is told in one sentence', async (_, text, message) => {
    if (text !== undefined) await writeFile(file('record.json'), text)
    const failure = await readRun(dir).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RunNotReadable)
    expect((failure as Error).message).toContain(message)
    expect((failure as Error).message).not.toContain('\n')
  })
})
