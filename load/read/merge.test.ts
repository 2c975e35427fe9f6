import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { temporaryFolder as folder } from '../../fixtures/client/testing/client.ts'
import type { Plan } from '../plan/plan.ts'
import { planOf } from '../testing/plans.ts'
import { Allowance, UnreadableOutput } from './lines.ts'
import { mergeRuns } from './merge.ts'
import { readSamples } from './samples.ts'

const PLAN = planOf({
  senders: [
    { alias: 'first', role: 'standard', tenant: 'a' },
    { alias: 'second', role: 'standard', tenant: 'b' },
  ],
})

function write(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const writePlan = (dir: string, changed: Partial<Plan> = {}): string =>
  write(join(dir, 'plan.json'), JSON.stringify({ ...PLAN, ...changed }))

const BEGIN = Date.UTC(2026, 10, 20, 7, 26)

/** Returns samples of requests at these milliseconds after the beginning, with an iteration for each. */
function samples(...sentAfter: number[]): string {
  const lines = sentAfter.flatMap(after => {
    const sample = (metric: string, value: number) =>
      `${metric},${(BEGIN + after + 10) * 1000},${value},part,200,op=v2 probe&who=first,`
    return [sample('http_req_duration', 10), sample('iterations', 1), sample('tss_from_schedule', after)]
  })
  return ['metric_name,timestamp,metric_value,scenario,status,extra_tags,metadata', ...lines, ''].join('\n')
}

test('the folder of a load run gives each scenario its stages, in the order in which they began', async () => {
  const dir = folder()
  const stage = (scenario: Plan['scenario'], stage: string, settings: Plan['settings'], after: number) => {
    const here = join(dir, 'raw', scenario, stage)
    writePlan(here, { scenario, stage, settings })
    write(join(here, 'samples.csv'), samples(after))
  }
  stage('rate-limit-burst', 'overrun', { speed: 3 }, 2000)
  stage('rate-limit-burst', 'alone-v1', { speed: 20 }, 0)
  stage('soak', 'soak', {}, 1000)
  const merged = await mergeRuns([dir])
  expect(merged.map(({ scenario, stages }) => [scenario, [...stages.keys()]])).toEqual([
    ['rate-limit-burst', ['alone-v1', 'overrun']],
    ['soak', ['soak']],
  ])
  expect(merged.map(({ timeScale, settings }) => [timeScale, settings])).toEqual([
    [3, { speed: 3 }],
    [1, {}],
  ])
})

describe('it is told', () => {
  async function notices(...processes: string[]): Promise<string[]> {
    const dir = folder()
    writePlan(dir)
    for (const [index, content] of processes.entries())
      write(join(dir, `pod-${index}`, 'samples.csv'), content)
    return (await mergeRuns([dir]))[0]!.notices
  }

  test('when processes began far apart', async () => {
    expect(await notices(samples(0, 100), samples(61_000, 61_100))).toEqual([
      expect.stringMatching(/^The processes of journey-mix, journey-mix, began 61 seconds apart:/),
    ])
  })

  test('but not when one is so slow that its first iteration came late', async () => {
    const slow = Array.from({ length: 10 }, (_, turn) => turn * 60_000)
    expect(await notices(samples(...slow), samples(...slow.map(after => after + 59_000)))).toEqual([])
  })
})

describe('is refused in a sentence:', () => {
  async function refusal(inputs: (dir: string) => string[]): Promise<string> {
    const dir = folder()
    writePlan(dir)
    write(join(dir, 'samples.csv'), samples(0))
    const error = await mergeRuns(inputs(dir)).catch(error => error)
    expect(error).toBeInstanceOf(UnreadableOutput)
    return error.message
  }

  const rewritten = (file: string, content: string) => (dir: string) => [
    dirname(write(join(dir, file), content)),
  ]
  const notAPlan = (what: string, content: string): [string, (dir: string) => string[], string] => [
    `a plan that is none: ${what}`,
    rewritten('plan.json', content),
    'is not the plan of a load run',
  ]
  const packed = (content: string) => (dir: string) => [
    dirname(write(join(dir, 'samples.csv.gz'), gzipSync(content))),
  ]
  const devices = (dir: string) => {
    symlinkSync('/dev/zero', join(dir, 'pod.samples.csv'))
    return [dir]
  }
  const ofAnotherRun = (dir: string) => {
    const other = folder()
    writePlan(other, { nonce: 'n2' })
    copyFileSync(join(dir, 'samples.csv'), join(other, 'samples.csv'))
    return [dir, other]
  }

  test.each<[string, (dir: string) => string[], string]>([
    ['an output that is named twice', dir => [dir, join(dir, 'samples.csv')], 'named more than once'],
    ['what is not there', dir => [join(dir, 'absent')], 'absent is not there'],
    ['an output without a plan', rewritten('a/b/samples.csv', samples(0)), 'There is no plan.json beside'],
    ...['{}', '['].map(content => notAPlan(content, content)),
    ['processes of different runs', ofAnotherRun, 'with different plans'],
    [
      'samples that unpack to much more',
      packed(`${samples(0)}${'http_reqs,1\n'.repeat(6_000_000)}`),
      'more than 200 times',
    ],
    ['a line without an end', packed(`${samples(0)}${'x'.repeat(3 * 2 ** 20)}`), 'is longer than 2 MB'],
    ['what is no regular file', devices, 'it is no regular file'],
    ['a stage without any request', rewritten('samples.csv', ''), 'there is nothing to judge'],
  ])('%s', async (_, inputs, reason) => {
    expect(await refusal(inputs)).toContain(reason)
  })
})

test('no more is kept of outputs than fits into memory, however many they are', async () => {
  const allowance = new Allowance(1000)
  const path = write(join(folder(), 'samples.csv'), samples(0))
  await readSamples(path, allowance)
  await expect(readSamples(path, allowance)).rejects.toThrow('more than fits into memory')
})
