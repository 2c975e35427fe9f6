import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isLittle, shortOfMemory } from '../../../fixtures/run/allowed.ts'
import { root } from '../../../fixtures/run/kit.ts'
import { company } from '../testing/booked.ts'
import { runShell, runTss, startTss } from '../testing/command.ts'

/** A few checks are enough for a run that ends early; loading all takes longer. */
const CERTIFY = ['certify', '--only', 'V2-BOOK-*']

test('where a disk is full, a run tells what was found, and why it could not be written', async () => {
  const { env } = await company({}, 0)
  // A limit on the size of files fails writes just as a full disk does, and needs no privileges.
  const { code, stdout, stderr } = await runShell(
    `trap '' XFSZ; ulimit -f 8; exec travel-sales ${CERTIFY.join(' ')}`,
    { env },
  )
  expect(code).toBe(3)
  expect(stdout).toContain('Seed: ')
  expect(stderr).toMatch(/^travel-sales: .*record\.json could not be written \(EFBIG\)/m)
  expect(stderr).not.toMatch(/^\s+at |kit itself failed/m)
})

test('--max-requests is kept, and what it costs is not exercised', async () => {
  const { control, tenant, env } = await company({}, 0)
  const { stdout } = await runTss([...CERTIFY, '--max-requests', '12', '--json'], { env })
  const { requests, totals, findings } = JSON.parse(stdout)
  const counted = await control.counters(tenant)
  // Requests without a valid credential belong to no tenant.
  expect(counted.requests.v1 + counted.requests.v2).toBeLessThanOrEqual(requests.v1 + requests.v2)
  // Cancelling may exceed the limit.
  expect(requests.v1 + requests.v2).toBeLessThanOrEqual(24)
  expect(totals['not exercised']).toBeGreaterThan(0)
  expect(findings).toEqual([])
})

test('nothing is needed that can be written but --out, and nothing is written beside the kit instead', async () => {
  // Not even root can write here; XDG_DATA_HOME would win over HOME.
  const env = { HOME: '/proc', TMPDIR: '/proc', XDG_DATA_HOME: '' }
  // Where the test runner keeps the token of its web page if the home is read-only. The kit may be read-only, too.
  const token = join(root, 'node_modules/.vitest/.vitest-secret-token')
  rmSync(token, { force: true })
  const { code, stderr } = await startTss(['certify', '--only', 'V2-IDEM-KEY-REQUIRED'], { env }).ended
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('failed')])
  expect(existsSync(token)).toBe(false)
})

test('too few files that may be open are named before anything is sent', async () => {
  const { code, stdout, stderr } = await runShell(
    'ulimit -n 64; exec travel-sales certify --deployment embedded --only V2-IDEM-KEY-REQUIRED',
  )
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/^travel-sales: Nothing was sent: 64 files may be open .*\(ulimit -n\).*\n$/)
})

/** A group of the kernel, as a container has, in either version; `undefined` if this user may not make one. */
function groupOf(megabytes: number): string | undefined {
  for (const [under, limit] of [
    ['memory/', 'memory.limit_in_bytes'],
    ['', 'memory.max'],
  ]) {
    const folder = `/sys/fs/cgroup/${under}tss-${process.pid}-${megabytes}`
    try {
      mkdirSync(folder)
      onTestFinished(() => rmdirSync(folder))
      writeFileSync(join(folder, limit!), String(megabytes * 2 ** 20))
      return folder
    } catch {}
  }
  return undefined
}

test('a container with little memory gets what fits, and is told where a whole run does not', async ({
  skip,
}) => {
  const group =
    groupOf(400) ?? skip('only root can make a group of the kernel, where its files are not read-only')
  const { code, stderr } = await runShell(
    `echo $$ > ${group}/cgroup.procs; exec travel-sales certify --deployment embedded --only V2-IDEM-KEY-REQUIRED`,
  )
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /^Look at this: 400 MB of memory are allowed here, and a whole run takes up to 500: .*--only\.$/m,
  )
})

test.each([
  [400, true, true],
  [512, true, false],
  [1024, false, false],
])('of %d MB', (megabytes, little, short) => {
  const bytes = megabytes * 2 ** 20
  expect([isLittle(bytes), shortOfMemory(bytes) !== undefined]).toEqual([little, short])
})
