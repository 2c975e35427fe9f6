import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Benign } from '../../fixtures/deviants/deviant.ts'
import { drawDeployments, hiddenBy } from '../../fixtures/deviants/together.ts'
import { recordIn } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { commitSeed, everything } from './testing/commit-draw.ts'

const fixture = (path: string): string => new URL(`../../fixtures/${path}`, import.meta.url).href

/** A rate limit in requests per minute that no run reaches, since waiting for a limit takes minutes. */
const GENEROUS = 1_000_000

/** The number of pairs that a full run of the untouched deployment (1,846) exercises, less what varies with the seed. */
const ASKED = { full: 1780, partner: 1180 }

/**
 * Writes a definition of the embedded deployment with all these variants for every company; a partner has one credential and
 * nothing else.
 */
function definitionOf(all: readonly Benign[], profile: 'full' | 'partner'): string {
  const folder = freshFolder()
  writeFileSync(
    join(folder, 'variants.ts'),
    `import { patchRules } from '${fixture('deviants/deviant.ts')}'
     import { benign } from '${fixture('deviants/index.ts')}'
     import { asOne } from '${fixture('deviants/together.ts')}'
     const ids = ${JSON.stringify(all.map(({ id }) => id))}
     export const variants = {
       day: asOne(benign.filter(({ id }) => ids.includes(id))),
       generous: patchRules({ rateLimit: { max: { v1: ${GENEROUS}, v2: ${GENEROUS} } } }),
     }`,
  )
  const definition = {
    full: `({ ...embedded, control: { ...control, mint: wish => control.mint({ variant: 'day', ...wish }) } })`,
    partner: `({
      ...embedded,
      control: {},
      credentials: {
        standard: {
          token,
          modes: { transfers: 'test', parkA: 'test', parkB: 'test', hotels: 'test' },
          features: { resortHotels: false, restrictedCatalog: false, sellsVouchers: false, voucherDelivery: true },
        },
      },
      disposable: false,
      traffic: { concurrency: 24, perMinute: ${GENEROUS}, patience: 1 },
    })`,
  }[profile]
  writeFileSync(
    join(folder, 'deployment.ts'),
    `import whole from '${fixture('deployments/embedded.ts')}'
     import { httpControl } from '${fixture('deployments/http-control.ts')}'
     import { launchReference } from '${fixture('reference/thread.ts')}'
     export async function launch() {
       const variants = new URL('variants.ts', import.meta.url).href
       const { stop, ...values } = await launchReference({ variants })
       const { token } = await httpControl(values.controlUrl).mint({ variant: 'day+generous' })
       return { values: { ...values, token }, stop }
     }
     export default ({ token, ...started }) => {
       const { control, ...embedded } = whole(started)
       return ${definition}
     }`,
  )
  return folder
}

const draws = drawDeployments(commitSeed).slice(0, everything ? undefined : 1)
/** A partner's run takes minutes on a market that moves or delays answers. */
const profiles = everything ? (['full', 'partner'] as const) : (['full'] as const)

// Effects on what checks share beyond what each leaves unchanged show only if the whole deployment has the variant.
test.for(draws.flatMap(all => profiles.map(profile => ({ all, profile }))))(
  'nothing is found on a deployment that does all at once that the document allows: %#',
  { timeout: 600_000 },
  async ({ all, profile }) => {
    const cwd = definitionOf(all, profile)
    const { stdout, stderr } = await runTss(['certify', '--deployment', 'deployment.ts', '--seed', '1'], {
      cwd,
    })
    const said = `${all.map(({ id }) => id).join(' ')}\n${stdout}\n${stderr}`
    const record = recordIn(cwd)
    const departs = all.flatMap(one => one.departs ?? [])
    const found = record.clauses.filter(
      ({ id, findings }) => findings.length > 0 && !departs.includes(id as never),
    )
    expect(
      found.flatMap(({ findings }) => findings.map(({ message }) => message)),
      said,
    ).toEqual([])
    expect(record.errors, said).toEqual([])
    const hidden = hiddenBy(all, profile)
    expect(record.profile, said).toMatchObject({ name: profile })
    expect(record.profile!.exercised, said).toBeGreaterThan(ASKED[profile] - hidden)
    // A run is incomplete only if the market hides most of its products.
    if (hidden < ASKED[profile] / 10) expect(record.verdict, said).toBe('conforms')
  },
)
