import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { needing } from '../../../fixtures/output/testing/program.ts'
import { readRun } from '../../../reports/folder/write.ts'
import { poolOf, replayScript } from '../../../reports/scripts/replay-script.ts'
import { guarded, HEADERS } from '../testing/behind-gateway.ts'
import { everythingIn } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'

const CLAUSE = 'V2-IDEM-REPLAY-FLAG'

needing('curl', 'jq')(
  'what a gateway asks for is in every request of every command, and in outputs only as variables',
  async () => {
    const { company, without } = await guarded()
    const { env: found } = await company(['v2-transfers'], { variant: 'generous+replay-without-flag' })
    const env = { ...found, ...HEADERS }
    const cwd = freshFolder()
    const said: string[] = []
    const tss = async (...args: string[]) => {
      const ended = await runTss(args, { cwd, env })
      said.push(ended.stdout, ended.stderr)
      return ended
    }
    const doctor = await tss('doctor')
    expect(doctor.stdout).toContain('role standard: reads every catalog')
    expect(doctor.stdout).toContain('headers of every request: x-gateway-key, cf-access-client-secret')
    const { stdout } = await tss('certify', '--only', CLAUSE, '--json')
    const { out } = JSON.parse(stdout)
    expect((await tss('replay', CLAUSE, '--run', out)).stdout).toContain('It shows again.')

    const run = await readRun(join(cwd, out))
    const row = run.record.clauses.find(({ id }) => id === CLAUSE)!
    const [finding] = row.findings
    const sent = (await run.traffic([finding!.check])).get(finding!.check) ?? []
    const script = replayScript(
      { clause: CLAUSE, says: row.says, ...finding! },
      finding!.exchanges,
      poolOf(sent, []),
    )!
    const runScript = (given: Record<string, string>) =>
      promisify(execFile)('sh', ['-c', script], { cwd, env: { PATH: process.env.PATH, ...given } }).catch(
        ended => ended,
      )
    const again = await runScript({ TSS_TOKEN: env.TSS_TOKEN, ...HEADERS })
    expect(again.stdout).toMatch(/^reproduced$/m)
    expect(again.stdout).toMatch(/^Cancelling \S+, which step \d booked: 200$/m)
    const { TSS_HEADER_X_GATEWAY_KEY, ...others } = HEADERS
    const untried = await runScript({ TSS_TOKEN: env.TSS_TOKEN, ...others })
    expect(untried.stdout).toBe('could not be tried: TSS_HEADER_X_GATEWAY_KEY is not set\n')

    expect(without).toEqual([])
    const reports = everythingIn(join(cwd, 'reports'))
    expect(reports).toContain('$TSS_HEADER_CF_ACCESS_CLIENT_SECRET')
    for (const secret of Object.values(HEADERS))
      for (const text of [...said, reports, script]) expect(text).not.toContain(secret)
  },
)
