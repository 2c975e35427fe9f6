import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { CONTROL_PARTS, type Control } from '../../fixtures/deployments/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { recordSchema } from '../../fixtures/record.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { freshFolder, runTss } from './command.ts'

type Part = keyof Control

/** What a deployment lets QA do, in the pieces that checks need. */
const { 'control:mint': _, 'control:vitals': __, 'control:delay': ___, ...GROUPS } = CONTROL_PARTS
const PIECES: readonly (readonly Part[])[] = Object.values(GROUPS)
const ALL = PIECES.flat()

interface Subset {
  name: string
  parts: readonly Part[]
  mint: boolean
  /** Whether there is a credential of a second company. */
  second: boolean
}

const without = (gone: readonly Part[]) => ALL.filter(part => !gone.includes(part))

const SUBSETS: Subset[] = [
  { name: 'nothing', parts: [], mint: false, second: false },
  { name: 'nothing', parts: [], mint: false, second: true },
  { name: 'all', parts: ALL, mint: false, second: false },
  { name: 'all', parts: ALL, mint: false, second: true },
  { name: 'nothing', parts: [], mint: true, second: false },
  { name: 'all', parts: ALL, mint: true, second: false },
  ...PIECES.flatMap((piece, at) => [
    { name: piece.join(' and '), parts: piece, mint: false, second: at % 2 === 0 },
    { name: `all but ${piece.join(' and ')}`, parts: without(piece), mint: false, second: at % 2 === 1 },
  ]),
]

/** Checks of these stand on control. */
const CONCERNED = 'v2-offers or v2-vouchers or v2-bookings'

const module = (path: string): string => new URL(`../../fixtures/deployments/${path}`, import.meta.url).href

interface Outcome {
  control: string
  mint: boolean
  second: boolean
  exit: number | null
  exercised: number
  seconds: number
}

const table: Outcome[] = []
afterAll(() => console.table(table))

/** Certifies the embedded deployment, as far as the subset lets anybody steer it. */
async function certified({ name, parts, mint, second }: Subset, until: (end: () => void) => void) {
  const reference = await startReference()
  until(() => void reference.stop())
  const control = httpControl(reference.controlUrl) as Required<Control>
  const [standard, otherCompany] = [await control.mint({}), await control.mint({})]
  const companies = second ? { standard, otherCompany } : { standard }
  const cwd = freshFolder(until)
  writeFileSync(
    join(cwd, 'parts.ts'),
    `import { httpControl } from '${module('http-control.ts')}'
     const all = httpControl('${reference.controlUrl}')
     const companies = ${JSON.stringify(companies)}
     const of = role => companies[role]?.tenant ?? role
     const credentials = Object.fromEntries(Object.entries(companies).map(([role, { token }]) => [role, { token }]))
     const control = Object.fromEntries(${JSON.stringify(parts)}.map(part => [part, (role, ...rest) => all[part](of(role), ...rest)]))
     export default {
       name: 'parts', baseUrl: '${reference.baseUrl}', products: ['v2-transfers'],
       control: { ...control, ${mint ? 'mint: all.mint' : ''} },
       credentials: ${mint ? '{}' : 'credentials'}, disposable: ${mint},
       traffic: { perMinute: 1_000_000, concurrency: 40, patience: 0.05 },
     }`,
  )
  const startedAt = performance.now()
  const { code, stderr } = await runTss(['certify', '--deployment', 'parts.ts', '--only', CONCERNED], {
    cwd,
    until,
  })
  const [run] = readdirSync(join(cwd, 'reports/out'))
  const record = recordSchema.parse(
    JSON.parse(readFileSync(join(cwd, 'reports/out', run!, 'record.json'), 'utf8')),
  )
  table.push({
    control: name,
    mint,
    second,
    exit: code,
    exercised: record.clauses.filter(({ verdict }) => verdict === 'conforms' || verdict === 'violates')
      .length,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  })
  return { code, stderr, record }
}

test.concurrent.for(SUBSETS)(
  '$name, mint: $mint, second company: $second',
  async (subset, { expect, onTestFinished }) => {
    const { code, stderr, record } = await certified(subset, onTestFinished)
    expect(record.clauses.flatMap(({ findings }) => findings.map(({ message }) => message))).toEqual([])
    expect(record.errors).toEqual([])
    expect(record.clauses.filter(({ verdict }) => verdict === 'blocked')).toEqual([])
    expect(stderr).not.toMatch(/kit itself failed/)
    expect([0, 1]).toContain(code)
  },
)
