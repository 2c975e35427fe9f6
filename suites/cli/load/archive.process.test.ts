import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loggedIn } from '../../../fixtures/ground/read-logged.ts'
import { findK6 } from '../../../load/k6/index.ts'
import { runProgram } from '../../../load/k6/program.ts'
import { brokenIn, recordOf, runOf, served } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'

const TURNS = 6

test('two machines that each run a half of an archive send what one sends, and their logs are judged together', async () => {
  const { baseUrl, control } = await served()
  const variant = 'v1-search-drops-a-hotel'
  const [one, other] = [await control.mint({}), await control.mint({ variant })]
  const cwd = freshFolder()
  const env = {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: one.token,
    TSS_TOKEN_OTHER: other.token,
    TSS_PRODUCTS: 'v1-hotels,v2-hotels',
  }
  const args = ['--archive', 'load.tar', '--scenario', 'search-polling', '--set', 'rate=0.5,duration=12']
  const written = await runTss(['load', ...args], { cwd, env })
  expect(written.stderr).toMatch(
    /^load\.tar is written\. With the credentials of standard, otherCompany in TSS/m,
  )
  expect(written.code).toBe(0)
  const again = await runTss(['load', ...args], { cwd, env })
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/load\.tar cannot be made \(EEXIST\)/),
  ])
  expect(statSync(join(cwd, 'load.tar')).mode & 0o777).toBe(0o600)

  const { path: k6 } = await findK6()
  const run = async (log: string, ...segment: string[]) => {
    const output = ['--quiet', '--log-format', 'raw', '--console-output', log, 'load.tar']
    const TSS_TOKENS = `${one.token}\n${other.token}\n`
    const signal = AbortSignal.timeout(300_000)
    const ended = await runProgram(k6, ['run', ...segment, ...output], { cwd, env: { TSS_TOKENS }, signal })
    expect(ended.code, ended.stderr).toBe(0)
  }
  const half = ['--execution-segment-sequence', '0,1/2,1', '--execution-segment']
  await Promise.all([run('one.log', ...half, '0:1/2'), run('two.log', ...half, '1/2:1'), run('all.log')])
  const [archive, ...logs] = ['load.tar', 'all.log', 'one.log', 'two.log'].map(file =>
    readFileSync(join(cwd, file), 'utf8'),
  )
  for (const { token } of [one, other]) expect([archive, ...logs].join('')).not.toContain(token)
  const [all, ...halves] = logs.map(log => log.trim().split('\n').map(loggedIn))
  const begun = (lines: typeof all = []) =>
    lines
      .map(line => `${line?.op} of ${line?.who}: ${line?.request?.body}`)
      .filter(begins => begins.includes(' search of ') && !begins.includes('id_search'))
      .sort()
  expect(begun(halves.flat())).toEqual(begun(all))
  expect(begun(all)).toHaveLength(TURNS)
  for (const half of halves) expect(begun(half)).toHaveLength(TURNS / 2)

  const audited = await runTss(['audit', 'one.log', 'two.log'], { cwd })
  const record = recordOf(runOf(cwd, audited))
  expect(brokenIn(record)).toEqual(['V1-HOTEL-SEARCH-CUMULATIVE'])
  expect(record.requests.v1 + record.requests.v2).toBe(halves.flat().length)
})
