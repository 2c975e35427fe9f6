import { describe, expect, test } from 'vitest'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import { CONTROL_PARTS, type Control } from '../../fixtures/ground/control.ts'
import type { Kind } from '../../fixtures/ground/products.ts'
import type { ClauseRecord, Profile, RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { STATE_MODELS, TRANSITIONS } from '../../fixtures/models/diagrams.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { checkOf, recordOf } from '../testing/checks.ts'
import { asksFor, profileFor, statesLine, statesOf } from './profile.ts'
import type { JudgedDeployment, Offering, RunInput } from './run-input.ts'

const part = async (): Promise<never> => {
  throw new Error('not to be called')
}
const controlOf = (...parts: (keyof Control)[]): Control =>
  Object.fromEntries(parts.map(name => [name, part]))
const everything: Offering = {
  control: controlOf(...Object.values(CONTROL_PARTS).flat()),
  disposable: true,
}

test.each<[string, Offering, Profile]>([
  ['a clock', { control: controlOf('advanceClock') }, 'staging'],
  ['stock that cannot be put back', { control: controlOf('setStock') }, 'partner'],
  ['all control', everything, 'full'],
  ['all control, and no company that sells for real', { ...everything, disposable: false }, 'staging'],
])('the profile of a definition with %s', (_, offering, profile) =>
  expect(profileFor(offering, CLAUSES)).toBe(profile),
)

test.each<[string, Pick<Clause, 'level' | 'needs' | 'planned'>, Profile, Offering, boolean]>([
  ['a recommendation', { level: 'should' }, 'full', everything, false],
  [
    'a role that is there',
    { level: 'must', needs: ['role:otherCompany'] },
    'partner',
    { credentials: { otherCompany: { token: 'x' } } },
    true,
  ],
  ['control, of a partner', { level: 'must', needs: ['control:price'] }, 'partner', everything, false],
])('%s (%o), profile %s, offered %o: asked for is %s', (_, clause, profile, offering, asked) => {
  expect(asksFor(profile, clause, offering)).toBe(asked)
})

const catalogue: Record<string, Clause> = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [
    `C${at}`,
    { part: '1', area: 'http', level: 'must', side: 'server', says: 'A thing MUST hold.' } as const,
  ]),
)
const ids = Object.keys(catalogue)

let made = 0
/** Returns a check of these clauses for a kind, which decides the first few. */
function check(kind: Kind | undefined, decided: number, cited = ids, reason = 'sold out'): CollectedCheck {
  const report: Partial<CheckReport> = {
    exercised: cited.slice(0, decided),
    kind: kind ?? 'transfers',
    sold: true,
    ...(decided === cited.length ? {} : { stopped: { verdict: 'not exercised', reason } }),
  }
  return checkOf(`suites/x.suite.ts > check ${++made}`, cited, report, { kind })
}

const deployment: JudgedDeployment = {
  name: 'here',
  baseUrl: 'http://127.0.0.1:1',
  products: ['v2-transfers', 'v2-hotels'],
}

const run = (checks: CollectedCheck[], over: Partial<RunInput> = {}): RunRecord =>
  recordOf(checks, { deployment, catalogue, profile: 'partner', ...over })

describe('a run', () => {
  test('in which a kind of product was hardly exercised is incomplete, and says why', () => {
    const { verdict, incomplete } = run([check('transfers', 10), check('hotels', 7)])
    expect(verdict).toBe('incomplete')
    expect(incomplete?.join()).toMatch(/partner asks for 10 clauses of hotels, and 7 .*80 %: 3 × sold out/)
  })

  test('of selected clauses is judged by those', () => {
    const only = { only: 'C1', selected: new Set(['C1']) }
    expect(run([check('transfers', 2)], only)).toMatchObject({
      verdict: 'conforms',
      profile: { name: 'partner', asked: 1, exercised: 1 },
    })
    expect(run([check('transfers', 1), check('hotels', 2)], only)).toMatchObject({
      verdict: 'incomplete',
      profile: { asked: 2, exercised: 1 },
    })
  })

  test('is not asked for what only a credential shows that its definition does not have', () => {
    const reason = 'needs alternatives of a hotel; needs a credential of the role resort'
    const checks = [check('transfers', 10), check('hotels', 7, ids, reason)]
    expect(run(checks)).toMatchObject({ verdict: 'conforms', profile: { asked: 17, exercised: 17 } })
    expect(run(checks, { profile: 'full' })).toMatchObject({ verdict: 'incomplete', profile: { asked: 20 } })
  })

  test("whose checks left something undecided conforms, and says that it is the kit's fault", () => {
    const silent = check('hotels', 0)
    delete silent.report!.stopped
    const record = run([check('transfers', 10), silent])
    expect(record).toMatchObject({ verdict: 'conforms', profile: { asked: 10, exercised: 10 } })
    expect(record.coverage.perKind).toMatchObject({ applicable: 20, exercised: 10 })
    expect(record.undecided).toHaveLength(10)
    expect(record.undecided![0]).toEqual({ clause: 'C0', kind: 'hotels', checks: expect.any(Array) })
  })

  test('names what it could not observe, and what would show it', () => {
    const needs = (...needed: Clause['needs'] & object): Partial<Clause> => ({ needs: needed })
    const lacking: Record<string, Clause> = {
      ...catalogue,
      C7: { ...catalogue.C7!, ...needs('role:otherCompany') },
      C8: { ...catalogue.C8!, ...needs('mode:live', 'role:otherCompany') },
      C9: { ...catalogue.C9!, ...needs('control:price') },
    }
    const record = run([check('transfers', 7), check('hotels', 7)], { catalogue: lacking })
    expect(record.verdict).toBe('conforms')
    expect(record.notLookedAt).toEqual([
      { what: 'isolation between companies', clauses: 2, shownBy: expect.stringContaining('second company') },
      { what: 'prices, stock and vouchers that change', clauses: 1, shownBy: expect.any(String) },
    ])
  })
})

const clause = (id: string, verdict: Verdict): ClauseRecord => ({
  id,
  level: 'must',
  side: 'server',
  part: '3.1',
  area: 'v2-bookings',
  says: 'It MUST.',
  verdict,
  checks: [],
  findings: [],
})

test('the transitions of the models are in the diagrams, each once', () => {
  const drawn = STATE_MODELS.flatMap(({ transitions }) => transitions.flatMap(({ walked = [] }) => walked))
  expect(drawn.toSorted()).toEqual(TRANSITIONS.toSorted())
})

test('every table of part 3 has a diagram, and every clause of a transition is in the catalogue', () => {
  expect(STATE_MODELS.map(({ part }) => part)).toEqual(['3.1', '3.2', '3.3', '3.4', '3.5', '3.6'])
  const cited = STATE_MODELS.flatMap(({ transitions }) => transitions.flatMap(({ clauses }) => clauses))
  expect(cited.filter(id => !Object.hasOwn(CLAUSES, id))).toEqual([])
})

test('a transition is visited by a walk or by a clause that needs it, and broken by such a clause', () => {
  const clauses = [
    clause('V2-BOOK-CREATED-STATUS', 'conforms'),
    clause('V2-PENDING-STATUS', 'violates'),
    clause('V2-PENDING-SETTLES-CONFIRMED', 'not exercised'),
    clause('V2-PENDING-SETTLES-FAILED', 'not exercised'),
  ]
  const walks = [{ transitions: { visited: ['pending settles: confirmed'], missed: [] } }]
  const states = statesOf(clauses, walks)
  expect(states.map(({ part }) => part)).toEqual(['3.1'])
  expect(states[0]!.transitions.map(({ from, to, seen }) => [from, to, seen])).toEqual([
    ['(none)', 'confirmed', 'visited'],
    ['(none)', 'pending', 'broken'],
    ['pending', 'confirmed', 'visited'],
    ['pending', 'failed', 'not visited'],
  ])
  expect(statesLine(states)).toBe('3 of 4 transitions of part 3 visited')
})
