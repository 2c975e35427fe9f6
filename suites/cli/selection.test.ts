import { expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { nearest, select } from './selection.ts'

const catalogue = {
  'V2-IDEM-REPLAY': { area: 'v2-bookings' },
  'V2-IDEM-REUSED': { area: 'v2-bookings' },
  'V2-OFFER-FORGED': { area: 'v2-offers' },
  'AUTH-BEARER': { area: 'common' },
} as const

test.each([
  ['V2-IDEM-REPLAY', ['V2-IDEM-REPLAY']],
  ['v2-idem-replay', ['V2-IDEM-REPLAY']],
  ['v2-bookings', ['V2-IDEM-REPLAY', 'V2-IDEM-REUSED']],
  ['V2-*', ['V2-IDEM-REPLAY', 'V2-IDEM-REUSED', 'V2-OFFER-FORGED']],
  ['v2-bookings and not V2-IDEM-REUSED', ['V2-IDEM-REPLAY']],
  ['v2-bookings && !V2-IDEM-REUSED', ['V2-IDEM-REPLAY']],
  ['common or V2-OFFER-FORGED', ['V2-OFFER-FORGED', 'AUTH-BEARER']],
  ['not (v2-offers or common)', ['V2-IDEM-REPLAY', 'V2-IDEM-REUSED']],
  ['not v2-offers or common', ['V2-IDEM-REPLAY', 'V2-IDEM-REUSED', 'AUTH-BEARER']],
])('%s selects', (text, wanted) => {
  const { matches } = select(text, catalogue)
  expect(Object.keys(catalogue).filter(id => matches([id]))).toEqual(wanted)
})

test('vitest gets clause ids only', () => {
  expect(select('v2-bookings and not V2-IDEM-REUSED', catalogue).tags).toBe(
    '((V2-IDEM-REPLAY or V2-IDEM-REUSED) and (not (V2-IDEM-REUSED)))',
  )
})

test('a deviant stands for the clauses that it breaks', () => {
  const { matches } = select('replay-answers-201', catalogue, { 'replay-answers-201': ['V2-IDEM-REPLAY'] })
  expect(matches(['V2-IDEM-REPLAY'])).toBe(true)
  expect(matches(['V2-IDEM-REUSED'])).toBe(false)
})

test.each([
  ['V2-IDEM-REPLY', 'there is no clause or area V2-IDEM-REPLY; the nearest are V2-IDEM-REPLAY,'],
  ['v2-booking', 'the nearest are v2-bookings,'],
  ['V3-*', 'there is no clause or area V3-*'],
  ['', 'a name is missing at the end'],
  ['v2-offers and', 'a name is missing at the end'],
  ['(v2-offers', 'a closing parenthesis is missing'],
  ['v2-offers common', 'common stands where and, or, or the end should'],
  ['and v2-offers', 'and stands where a name should'],
  ['v2-offers & common', '& stands where'],
])('%j is refused', (text, words) => {
  let thrown: unknown
  try {
    select(text, catalogue)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(Failure)
  expect(thrown).toMatchObject({ exitCode: 2, message: expect.stringContaining(words) })
})

test('the nearest names hold the word, or differ least', () => {
  expect(nearest('bok', ['v2-bookings', 'book', 'voucher'], 1)).toEqual(['book'])
  expect(nearest('voucher', ['v2-vouchers', 'couche'], 1)).toEqual(['v2-vouchers'])
})
