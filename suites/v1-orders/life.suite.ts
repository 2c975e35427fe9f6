import { clauseOf, PARKS, type Park, walkThroughOrders } from '../../fixtures/check/v1/index.ts'
import { clauseFor, describe, test } from '../../fixtures/test.ts'

/** The differences between the operators: the answer to a second cancellation, and to a voucher download after the first. */
const DIFFERENT = {
  'v1-park-a': {
    again: 'already cancelled',
    clauses: { again: 'V1-PARK-A-STATE-CANCEL-TWICE', gone: 'V1-PARK-A-STATE-CANCELLED-VOUCHER' },
  },
  'v1-park-b': {
    again: 'refused',
    clauses: { again: 'TEST-MODE-V1-PARK-B-CANCEL-TWICE', gone: 'TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER' },
  },
} as const

const rulesOf = (product: Park) => ({
  again: DIFFERENT[product].again,
  clauses: {
    ...DIFFERENT[product].clauses,
    cancel: clauseOf(product, 'CANCEL-SUCCESS'),
    foreign: clauseOf(product, 'ERR-CANCEL-FOREIGN'),
    published: clauseOf(product, 'STATE-VOUCHER-PUBLISHED'),
  },
})

describe('the life of an order of tickets', () => {
  test(
    'every sequence of calls gets the answers of its state',
    {
      tags: product => {
        const { cancel, again, gone } = rulesOf(product).clauses
        return [cancel, again, gone, clauseFor('V1-IDEM-REPLAY-ORDER', product)]
      },
      opportunistic: product => [
        rulesOf(product).clauses.published,
        rulesOf(product).clauses.foreign,
        clauseFor('V1-IDEM-REPLAY-STATUS', product),
        clauseFor('V1-IDEM-REPLAY-FLAG', product),
      ],
      kinds: PARKS,
    },
    async check => walkThroughOrders(check, rulesOf(check.arrange.product)),
  )
})
