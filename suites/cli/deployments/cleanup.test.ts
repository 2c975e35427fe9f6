import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { beginLedger, createLedger, LEDGER_FILE, readLedger } from '../../../fixtures/client/money/ledger.ts'
import { BARE, temporaryFolder } from '../../../fixtures/client/testing/client.ts'
import { readRun } from '../../../reports/folder/write.ts'
import { leftoverLines } from '../../../reports/render/digest.ts'
import { exampleRecord } from '../../../reports/testing/example.ts'
import { cleanup } from './cleanup.ts'

/** Returns the folder of a run that may have left two bookings, of which nobody can send anything: it names no definition. */
async function standing(): Promise<string> {
  const dir = temporaryFolder()
  beginLedger(dir, 'https://gone.invalid')
  const ledger = createLedger({ dir, worker: 0 })
  const entry = await ledger.intend(BARE)
  ledger.settle(entry, { bookingId: '99120' })
  await ledger.intend(BARE)
  await ledger.close()
  const leftovers = exampleRecord.leftovers.map(one => ({ ...one, entry, refused: undefined }))
  writeFileSync(join(dir, 'record.json'), JSON.stringify({ ...exampleRecord, leftovers }))
  return dir
}

async function printed(work: () => Promise<unknown>): Promise<{ code: unknown; text: string }> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const code = await work()
    return { code, text: write.mock.calls.map(([text]) => String(text)).join('') }
  } finally {
    write.mockRestore()
  }
}

test('what somebody has looked at is written into the folder and shown, and nothing else changes', async () => {
  const dir = await standing()
  const [record, journal] = ['record.json', LEDGER_FILE].map(name => readFileSync(join(dir, name), 'utf8'))
  const elsewhere = join(temporaryFolder(), 'mine.txt')
  writeFileSync(elsewhere, 'mine')
  symlinkSync(elsewhere, join(dir, 'acknowledged.json'))
  const because = 'cancelled in the back office'
  const first = await printed(() => cleanup(dir, { acknowledge: ['a1'], because }))
  expect(first.code).toBe(1)
  expect(first.text).toMatch(
    /^Looked at: booking 99120 .*; acknowledged on \d{4}-\d\d-\d\d: cancelled in the back office$/m,
  )
  expect(first.text).toMatch(/^Left: a booking whose id is not known .* \[entry (\w+)\]$/m)
  const [, entry = ''] = /\[entry (\w+)\]$/m.exec(first.text.split('Left:')[1]!)!
  expect(first.text).toContain(`--acknowledge ${entry} --because`)
  const second = await printed(() => cleanup(dir, { acknowledge: [entry], because: 'never made' }))
  expect(second).toMatchObject({ code: 0 })
  expect(readdirSync(dir).sort()).toEqual(['acknowledged.json', LEDGER_FILE, 'record.json'])
  expect(readFileSync(join(dir, 'record.json'), 'utf8')).toBe(record)
  expect(readFileSync(join(dir, LEDGER_FILE), 'utf8')).toBe(journal)
  expect(leftoverLines((await readRun(dir)).record)[0]).toContain(`: ${because}`)
  // A link is not written through.
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  expect(lstatSync(join(dir, 'acknowledged.json')).isFile()).toBe(true)
})

test.each([
  [
    { acknowledge: ['a1', 'a99'], because: 'x' },
    /There is no entry a99 in the journal .*: it has \w+, \w+\.$/,
  ],
  [{ acknowledge: ['a1'] }, /--because says what was found out/],
  [{ because: 'x' }, /--acknowledge names the entry/],
])('%o is refused in one sentence', async (options, why) => {
  const dir = await standing()
  await expect(cleanup(dir, options)).rejects.toThrow(why)
  expect(readdirSync(dir)).not.toContain('acknowledged.json')
})

test.each([true, false])('several are looked at together, or all (%s)', async all => {
  const dir = await standing()
  const acknowledge = all ? ['all'] : readLedger(dir).map(({ id }) => id)
  const { code, text } = await printed(() => cleanup(dir, { acknowledge, because: 'none is there' }))
  expect({ code, looked: text.match(/^Looked at: .*: none is there$/gm)?.length }).toEqual({
    code: 0,
    looked: 2,
  })
})

test('lines that cannot be read are looked at as a whole, and what only the record names by its entry', async () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, LEDGER_FILE), 'no line of the kit\n')
  const leftovers = exampleRecord.leftovers.map(one => ({ ...one, bookingId: undefined, entry: 'a3' }))
  writeFileSync(join(dir, 'record.json'), JSON.stringify({ ...exampleRecord, leftovers }))
  const { code, text } = await printed(() =>
    cleanup(dir, { acknowledge: ['a3', 'lines'], because: 'none is there' }),
  )
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^Looked at: .*: none is there$/m) })
})

test.each(['record.json', 'run.json'])(
  'a run without a journal, of which there is %s, has nothing left',
  async file => {
    const dir = temporaryFolder()
    const note = { definition: 'embedded', over: true }
    writeFileSync(
      join(dir, file),
      JSON.stringify(file === 'run.json' ? note : { ...exampleRecord, leftovers: [] }),
    )
    expect(await printed(() => cleanup(dir, {}))).toEqual({
      code: 0,
      text: `Nothing is left to cancel in ${dir}.\n`,
    })
  },
)
