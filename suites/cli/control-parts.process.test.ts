import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { CONTROL_PARTS, type Control } from '../../fixtures/ground/control.ts'
import { generous, recordIn, served } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { drawn } from './testing/commit-draw.ts'

type Part = keyof Control

/** The parts of control, grouped as checks need them. */
const { 'control:mint': _, 'control:vitals': __, 'control:delay': ___, ...GROUPS } = CONTROL_PARTS
const PIECES: readonly (readonly Part[])[] = Object.values(GROUPS)
const ALL = PIECES.flat()

interface Subset {
  name: string
  parts: readonly Part[]
  mint: boolean
  /**
   * Whether there is a credential of a second company, and, where clocks can be moved, one whose rate limit may be used up.
   */
  second: boolean
}

/** Parts that clauses need only together with another part. */
const SECONDARY: readonly Part[] = ['setStock', 'expireOffers', 'publishVouchers']

/** No part, all parts, all but one, and each alone. */
const SUBSETS: Subset[] = [
  ...[false, true].flatMap(second => [
    { name: 'nothing', parts: [], mint: false, second },
    { name: 'all', parts: ALL, mint: false, second: !second },
  ]),
  { name: 'nothing', parts: [], mint: true, second: false },
  ...PIECES.flatMap((piece, at) => {
    const rest = ALL.filter(part => !piece.includes(part))
    const even = at % 2 === 0
    const alone = { name: `${piece[0]} alone`, parts: piece, mint: false, second: even }
    return [
      { name: `all but ${piece[0]}`, parts: rest, mint: even, second: false },
      ...(piece.every(part => SECONDARY.includes(part)) ? [] : [alone]),
    ]
  }),
]

/** Clauses whose checks need control, and enough others. */
const CONCERNED =
  'v2-offers or v2-vouchers or V2-CANCEL-* or V2-PENDING-* or V2-BOOK-* or V2-PROVIDER-* or V2-IDEM-* or LIMIT-* or V1-TRANSFER-CANCEL-REFUSED-KEPT'

const module = (path: string): string => new URL(`../../fixtures/deployments/${path}`, import.meta.url).href

const { baseUrl, controlUrl, control } = await served({ variants: { generous } }, afterAll)

/** Certifies the embedded deployment with only these parts of control. */
async function certified({ parts, mint, second }: Subset, until: (end: () => void) => void) {
  const standard = await control.mint({ variant: 'generous' })
  const others = second ? { otherCompany: await control.mint({ variant: 'generous' }) } : {}
  const isDriven = second && parts.includes('advanceClock')
  const companies = { standard, ...others, ...(isDriven ? { expendable: await control.mint({}) } : {}) }
  const cwd = freshFolder(until)
  writeFileSync(
    join(cwd, 'parts.ts'),
    `import { httpControl } from '${module('control/http-control.ts')}'
     const all = httpControl('${controlUrl}')
     const companies = ${JSON.stringify(companies)}
     const of = role => companies[role]?.tenant ?? role
     const credentials = Object.fromEntries(Object.entries(companies).map(([role, { token }]) => [role, { token }]))
     const control = Object.fromEntries(${JSON.stringify(parts)}.map(part => [part, (role, ...rest) => all[part](of(role), ...rest)]))
     export default {
       name: 'parts', baseUrl: '${baseUrl}', products: ['v1-transfers', 'v2-transfers'],
       control: { ...control, ${mint ? 'mint: all.mint' : ''} },
       credentials: ${mint ? '{}' : 'credentials'}, disposable: ${mint},
       traffic: { perMinute: 1_000_000, concurrency: 40, patience: ${isDriven ? 2 : 0.05} },
     }`,
  )
  const { code, stdout, stderr } = await runTss(
    ['certify', '--deployment', 'parts.ts', '--only', CONCERNED],
    { cwd, until },
  )
  return { code, record: recordIn(cwd), said: `${stdout}\n${stderr}` }
}

// Each commit draws one.
test.concurrent.for(drawn(SUBSETS, 1, JSON.stringify))(
  'control: $name, mint: $mint, second company: $second',
  // Several whole runs share the processors.
  async (subset, { expect, onTestFinished }) => {
    const { code, record, said } = await certified(subset, onTestFinished)
    expect(record.clauses.flatMap(({ findings }) => findings.map(({ message }) => message))).toEqual([])
    expect(record.errors).toEqual([])
    expect(record.checks.filter(({ verdict }) => verdict === 'blocked')).toEqual([])
    expect(record.incomplete, said).toBeUndefined()
    expect(code).toBe(0)
  },
)
