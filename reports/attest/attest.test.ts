import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { readRun } from '../folder/write.ts'
import { exampleNdjson, exampleRecord } from '../testing/example.ts'
import { exampleLoadRecord } from '../testing/example-load.ts'
import { conforming, recordOfRun, runFolder } from './testing/attested.ts'
import { attest, whyNotAttested } from './verify.ts'

describe('what is not attested', () => {
  const [first, ...others] = conforming.clauses
  const waived = { reason: 'known', owner: 'ada', expires: '2020-01-01' }
  const finding = { message: 'x', source: 'check' as const, check: 'c', exchanges: ['a4'], waived }
  const expired = { clauses: [{ ...first!, verdict: 'violates' as const, findings: [finding] }, ...others] }

  test.each<[string, Partial<RunRecord>, string]>([
    ['violates', { verdict: 'violates' }, 'its verdict is violates'],
    ['is blocked', { verdict: 'blocked' }, 'its verdict is blocked'],
    [
      'is incomplete',
      { verdict: 'incomplete', incomplete: ['the profile asks for more'] },
      'it is incomplete',
    ],
    ['was halted', { halted: 'it was interrupted' }, 'it was not completed'],
    ['judged a part', { only: 'v2-bookings' }, 'only v2-bookings was judged'],
    ['judged a recording', { subject: 'recording' }, 'recorded traffic'],
    ['put load on', { load: exampleLoadRecord.load }, 'it is a load run'],
    ['met a fault of the kit', { errors: ['a fault'] }, 'the kit itself failed'],
    ['has a waiver that has ended', expired, 'a waiver of ada ended on 2020-01-01'],
    ['had no profile', { profile: undefined }, 'no profile'],
    ['holds no clause', { clauses: [] }, 'it holds no clause that conforms'],
    [
      'counts what is not there',
      { coverage: { ...conforming.coverage, exercised: 99_999 } },
      'it says 99999 under coverage.exercised, and its clauses come to',
    ],
    ['judged a client', { subject: 'client' }, 'runs on deployments alone are signed'],
    ['is said to conform, and does not', { clauses: exampleRecord.clauses }, 'does not pass: 2 required'],
    [
      'has a red gate',
      { gate: { passes: false, waived: 0, unneeded: ['X of somebody'], untested: [] } },
      'it does not pass: Waivers that nothing needs any more, to be removed: X of somebody',
    ],
    [
      'may have left bookings',
      { leftovers: exampleRecord.leftovers },
      'it does not pass: 1 booking may still stand',
    ],
    [
      'exercised too little',
      { ...recordOfRun(clauseIds.slice(0, 300)), verdict: 'conforms', incomplete: undefined },
      'The profile partner asks for',
    ],
    [
      'asks for another share',
      { profile: { name: 'full', least: 0, asked: 100, exercised: 0 } },
      'it says 0 under profile.least, and its clauses come to 0.85',
    ],
    [
      'asks for nothing',
      { profile: { ...conforming.profile!, asked: 0, exercised: 0 } },
      'it says 0 under profile.asked',
    ],
    ['lacks less than it did', { lacking: [] }, 'under profile.asked'],
    ['does not say what it lacks', { lacking: undefined }, 'it does not say what its definition lacks'],
    ['lost clauses', { clauses: others }, `${first!.id} is not in its place`],
    [
      'lowered a clause',
      { clauses: [{ ...first!, level: 'should' }, ...others] },
      `${first!.id} is not a clause of level should`,
    ],
  ])('a run that %s', async (_, change, why) => {
    expect(whyNotAttested(conforming)).toBeUndefined()
    expect(whyNotAttested({ ...conforming, ...change } as RunRecord)).toContain(why)
  })

  test.each<[string, Partial<RunRecord>, (line: string) => string, string]>([
    [
      'at another address',
      { deployment: { ...conforming.deployment, baseUrl: 'https://production.example.com' } },
      line => line,
      'its address is https://production.example.com, and exchange a3 went to https://staging.example.com/sales',
    ],
    [
      'below another path',
      { deployment: { ...conforming.deployment, baseUrl: 'https://staging.example.com' } },
      line => line,
      'went to https://staging.example.com/sales',
    ],
    ...['user@', ''].map((user): [string, Partial<RunRecord>, (line: string) => string, string] => [
      `that shows another address ${user === '' ? 'behind' : 'in front of'} its own`,
      {
        deployment: {
          ...conforming.deployment,
          baseUrl: `https://${user}staging.example.com/sales${user === '' ? '#https://production.example.com' : ''}`,
        },
      },
      line => line,
      'and exchange a3 went to https://staging.example.com/sales',
    ]),
    [
      'before it starts',
      { startedAt: '2099-01-01T00:00:00Z', finishedAt: '1999-01-01T00:00:00Z' },
      line => line,
      'exchange a3 was sent at 2026',
    ],
    ['whose evidence lost an exchange', {}, () => '', `exchanges of v2, and the run had `],
  ])('a run %s', async (_, change, edit, why) => {
    const run = await readRun(runFolder({ ...conforming, ...change }, exampleNdjson.replace(/^.*$/m, edit)))
    await expect(attest(run)).rejects.toThrow(why)
  })

  test('a run on the embedded deployment, unless that is asked for', async () => {
    const deployment = {
      ...conforming.deployment,
      embedded: true as const,
      certificates: 'not verified' as const,
    }
    const run = await readRun(runFolder({ ...conforming, deployment }))
    await expect(attest(run)).rejects.toThrow('it judged the embedded deployment')
    const { predicate } = await attest(run, true)
    expect(predicate.travelSalesConformance).toMatchObject({ embedded: true, certificates: 'not verified' })
  })

  test('a run of another version, and one without its evidence', async () => {
    const older = runFolder({ ...conforming, kit: { ...kit, version: '0.0.1' } })
    await expect(attest(await readRun(older))).rejects.toThrow('version 0.0.1 of the kit made it')
    const bare = runFolder()
    const run = await readRun(bare)
    rmSync(join(bare, 'exchanges.ndjson'))
    await expect(attest(run)).rejects.toThrow('its evidence exchanges.ndjson could not be read (ENOENT)')
  })
})
