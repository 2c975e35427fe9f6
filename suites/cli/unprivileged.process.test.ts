import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder, untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { root } from '../../fixtures/run/kit.ts'
import { findK6 } from '../../load/k6/index.ts'
import { type Ended, startTss } from './testing/command.ts'

/** Nobody has this number in /etc/passwd. */
const UID = 42_017

/** Whether this process may become that user, who has to be able to read the checkout. */
const mayBecome = (() => {
  if (process.getuid?.() !== 0) return false
  try {
    execFileSync(process.execPath, ['--version'], { cwd: root, uid: UID, gid: UID })
    return true
  } catch {
    return false
  }
})()

// Elsewhere it is reported as skipped: who is not root has no other user to be.
describe.runIf(mayBecome)('a user without a name, with a read-only home, checkout and folder', () => {
  const until = untilFileEnds()
  let cwd: string
  let out: string
  let k6: string
  beforeAll(async () => {
    cwd = temporaryFolder(until)
    chmodSync(cwd, 0o755)
    out = join(cwd, 'out')
    mkdirSync(out)
    chmodSync(out, 0o777)
    // That of root may be where nobody else can look.
    k6 = join(cwd, 'k6')
    copyFileSync((await findK6()).path, k6)
  })

  // Without HOME, the system has no home for a user without a name; limits.process.test.ts has one that cannot be written.
  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    startTss(args, {
      cwd,
      uid: UID,
      env: { HOME: undefined, XDG_CACHE_HOME: undefined, XDG_DATA_HOME: undefined, ...env },
    }).ended

  /** The run that `certify` has left. */
  let folder: string

  test('certifies with --out elsewhere', async () => {
    const args = ['certify', '--deployment', 'embedded', '--only', 'V2-IDEM-KEY-REQUIRED', '--out', out]
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Deployment: .*\n$/)])
    folder = join(out, readdirSync(out).at(-1)!)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['record.json', 'report.html']))
  })

  test('loads with a k6 that is named, and is told what to do where there is none', async () => {
    const args = ['load', '--deployment', 'embedded', '--scenario', 'rate-limit-burst', '--out', out]
    const without = await run(args, { PATH: '/usr/bin:/bin' })
    expect([without.code, without.stderr]).toEqual([
      3,
      expect.stringMatching(/k6 cannot be kept in .*TSS_CACHE_DIR/),
    ])
    const { code, stderr } = await run(args, { K6_BIN: k6 })
    expect(code, stderr).toBe(0)
  })

  test('is told which folder it may not read, where one stands for what is to be cancelled or judged', async () => {
    const locked = join(cwd, 'locked')
    mkdirSync(locked, { mode: 0o700 })
    for (const [command, at] of [
      ['cleanup', 'locked'],
      ['audit', '.'],
    ] as const) {
      const { code, stderr } = await run([...command.split(' '), at])
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^travel-sales: .*\blocked\b.* read.*\n$/)])
    }
  })
})
