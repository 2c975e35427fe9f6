import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, runTss } from './testing/command.ts'

const SECOND = join(import.meta.dirname, '../../fixtures/second')

// It differs from the embedded deployment wherever the document leaves something open: what is found here is a false alarm.
test.each([
  { definition: 'deployment.ts', profile: 'full' },
  { definition: 'without-control.ts', profile: 'partner' },
])(
  'the deployment of $definition conforms, and what is said of it can be handed over',
  async ({ definition, profile }) => {
    const cwd = freshFolder()
    const run = await runTss(['certify', '--deployment', join(SECOND, definition)], { cwd })
    const [folder] = readdirSync(join(cwd, 'reports/out'))
    const record = JSON.parse(readFileSync(join(cwd, 'reports/out', folder!, 'record.json'), 'utf8'))
    expect(record, run.stdout).toMatchObject({
      verdict: 'conforms',
      profile: { name: profile },
      leftovers: [],
    })
    expect(record.clauses.flatMap(({ findings = [] }: { findings?: unknown[] }) => findings)).toEqual([])
    expect(run.code).toBe(0)
    await runTss(['attest', '--new-key', 'key.pem'], { cwd })
    expect((await runTss(['attest', '--key', 'key.pem'], { cwd })).code).toBe(0)
    expect(
      (
        await runTss(['verify', join('reports/out', folder!, 'attestation.json'), '--key', 'key.pub.pem'], {
          cwd,
        })
      ).code,
    ).toBe(0)
  },
  300_000,
)
