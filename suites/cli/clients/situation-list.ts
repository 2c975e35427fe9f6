import type { Situation } from '../../../fixtures/examine/situations/situation.ts'

/** Returns a text of what situations provoke, what the client is asked to do, and what a correct one does. */
export const situationList = (all: readonly Situation[]): string =>
  all
    .map(
      ({ id, provokes, ask, correct, minutes, products, clauses }) =>
        `${id}  (about ${minutes} min; ${products.join(', ')})
  Provokes: ${provokes}.
  The client is to: ${ask === 'flow' ? 'run its flow' : ask}.
  A correct client: ${correct}.
  Shows: ${clauses.join(', ')}\n`,
    )
    .join('\n')
