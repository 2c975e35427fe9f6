import { expect, test } from 'vitest'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import type { ClauseRecord, Verdict } from '../../fixtures/ground/record.ts'
import { STATE_MODELS, TRANSITIONS } from '../../fixtures/models/diagrams.ts'
import { statesLine, statesOf } from './profile.ts'

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
