import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { missingOf, RANGES } from '../../../fixtures/clauses/ranges.ts'
import { untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import { isExercised, type RunRecord, recordSchema } from '../../../fixtures/ground/record.ts'
import { recordOf, runOf } from '../testing/booked.ts'
import { type Ended, freshFolder, runTss, startTss } from '../testing/command.ts'
import { everything } from '../testing/commit-draw.ts'
import { watchMemory } from '../testing/peak-memory.ts'

const until = untilFileEnds()

let ended: Ended
let folder: string
let record: RunRecord
let peak: number | undefined

/** Certifies the embedded deployment. Returns what came of it. */
async function certified(...options: string[]) {
  const cwd = freshFolder(until)
  const run = startTss(['certify', '--deployment', 'embedded', '--seed', '1734', ...options], { cwd, until })
  const memory = watchMemory(run.pid)
  const ended = await run.ended
  const out = /^Reports: (\S+)/m.exec(ended.stdout)?.[1]
  const folder = join(cwd, out ?? 'no reports were announced')
  const record: RunRecord = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'))
  return { ended, peak: memory.stop(), folder, record }
}

beforeAll(async () => {
  const run = await certified()
  ended = run.ended
  peak = run.peak
  folder = run.folder
  record = run.record
})

/** Returns what was decided of each clause, for each kind of product, and where. */
const decidedIn = ({ clauses }: RunRecord) =>
  clauses
    .filter(isExercised)
    .map(({ id, verdict, kinds = [], cells = [] }) => [
      id,
      verdict,
      kinds.filter(isExercised).map(({ kind, verdict }) => `${kind} ${verdict}`),
      cells.flatMap(one => one.cells).toSorted(),
    ])

describe('the embedded deployment', () => {
  test('conforms', () => {
    expect(
      record.clauses.flatMap(({ id, findings }) => findings.map(({ message }) => `${id}: ${message}`)),
    ).toEqual([])
    expect(record.errors).toEqual([])
    expect(record).toMatchObject({ verdict: 'conforms', leftovers: [] })
    expect(ended.code).toBe(0)
  })

  test('is judged from its recording as it was when it ran', async () => {
    const cwd = freshFolder()
    const { code, stdout, stderr } = await runTss(['audit', folder], { cwd })
    expect([code, stderr]).toEqual([0, expect.stringMatching(/\d checks judged by what the recording says/)])
    expect(stdout).toMatch(/^CONFORMS .* if what the recording says of its own checks is true/m)
    expect(decidedIn(recordOf(runOf(cwd, { stdout })))).toEqual(decidedIn(record))
  })

  test('has nothing blocked', () => {
    expect(record.clauses.filter(({ verdict }) => verdict === 'blocked').map(({ id }) => id)).toEqual([])
    expect(record.checks.filter(({ verdict }) => verdict === 'blocked').map(({ id }) => id)).toEqual([])
  })

  test('lets every clause be exercised that has a check', () => {
    const unseen = record.clauses.filter(
      ({ verdict, checks }) => verdict === 'not exercised' && checks.length > 0,
    )
    expect(unseen.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
  })
})

describe('the run', () => {
  // Measured on two cores, busy with other work: 680 to 780 MB, and up to 1,300 with heaps as large as V8 makes them. More
  // cores have more threads.
  test.skipIf(process.platform !== 'linux')('takes little memory', () => {
    const threads = Math.max(2, Math.min(4, availableParallelism() - 1))
    expect(peak! / 2 ** 20).toBeLessThan(700 + 150 * threads)
  })

  test.runIf(everything)(
    'under all conditions, exercises each clause in every cell of its range, as explain shows',
    async () => {
      const { record, folder } = await certified('--thorough')
      expect([record.verdict, record.leftOut]).toEqual(['conforms', undefined])
      const seen = new Map(
        record.clauses.map(({ id, cells = [] }) => [id, new Set(cells.flatMap(row => row.cells))]),
      )
      const holes = [...RANGES].flatMap(([id, range]) =>
        missingOf(range, seen.get(id) ?? new Set()).map(cell => `${id}: ${cell}`),
      )
      expect(holes).toEqual([])
      const explained = await runTss(['explain', 'TENANCY-V2-READ', '--run', folder])
      expect(explained.stdout).toMatch(/^ {2}Looked at: .*state pending/m)
    },
  )

  test('leaves a record of the published shape', () => {
    expect(recordSchema.safeParse(record).error).toBeUndefined()
    expect(record).toMatchObject({ seed: 1734, deployment: { name: 'embedded' } })
  })

  test('leaves every report, with no credential in it, and with nothing in it that was taken for one', () => {
    const hidden = /\[(?:altered )?credential\]|\[traveler data\]/
    expect(ended.stdout).not.toMatch(hidden)
    for (const name of ['record.json', 'report.html', 'junit.xml', 'summary.md']) {
      const text = readFileSync(join(folder, name), 'utf8')
      expect(text, name).not.toMatch(/tss_t\d+x/)
      expect(text, name).not.toMatch(hidden)
    }
    const stored = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8')
    expect(stored).not.toMatch(/tss_t\d+x/)
    // Another credential of the same company is none of another company.
    expect(stored).toContain('"sender":{"role":"colleague",')
    // Other checks send credentials where none belongs. A request sent with an altered one says so.
    const ordinary = stored.split('\n').filter(line => line.includes('"check":"suites/v2-transfers/'))
    expect(ordinary.length).toBeGreaterThan(20)
    expect(ordinary.join().replaceAll('"Bearer [altered credential]"', '')).not.toMatch(hidden)
  })
})

test('an attestation of the run is made with a new key and verified offline, with the evidence', async () => {
  const cwd = freshFolder()
  const own = join(cwd, 'own.pem')
  const pub = join(cwd, 'own.pub.pem')
  const made = await runTss(['attest', '--new-key', own], { cwd })
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('keep it to yourself')])
  const to = join(cwd, 'attestation.json')
  // A process that has certified knows secrets from then, and may take random base64 for one.
  const unasked = await runTss(['attest', folder, '--key', own, '--to', to], { cwd })
  expect([unasked.code, unasked.stderr]).toEqual([
    1,
    expect.stringContaining('it judged the embedded deployment'),
  ])
  const signed = await startTss(['attest', folder, '--key', own, '--to', to, '--embedded'], { cwd }).ended
  expect([signed.code, signed.stderr]).toEqual([0, ''])
  const by = ['verify', to, '--key', pub, '--run', basename(folder)]
  const verified = await startTss(by, { cwd: join(folder, '../../..') }).ended
  expect(verified.code).toBe(0)
  expect(verified.stdout).toMatch(
    /^VERIFIED {2}Signed with the key [0-9a-f]{64}, and not changed since\. This was the embedded deployment, /,
  )
  expect(verified.stdout).toContain('The kit that made it has the same modules as this one.')
})
