import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isExercised, type RunRecord } from '../../fixtures/record.ts'
import { endpointAt, endpointRow } from '../../fixtures/service/endpoints.ts'

/** The purposes of requests. */
const PURPOSES = {
  lists: 'catalogs, places, content',
  quotes: 'searches, prices, checks of offers',
  polls: 'polls of searches that go on',
  books: 'confirmations',
  reads: 'reads of bookings',
  prints: 'vouchers',
  cancels: 'cancellations, those of cleaning up included',
  bursts: 'past the rate limit',
  other: 'paths that the document does not show, and wrong methods',
} as const
type Purpose = keyof typeof PURPOSES

/** A check that sends more requests drives a credential past its limit. */
const BURST = 400

/** The parts of an exchange that are read here. */
interface Sent {
  check: string
  request: { method: string; path: string; body: { text?: string } | null }
}

function purposeOf({ request: { method, path, body } }: Sent): Purpose {
  const id = endpointAt(method, path)
  if (id === null) return 'other'
  if (id === 'v2 hotel poll' || (path.endsWith('/hotelSearch') && body?.text?.includes('"id_search"')))
    return 'polls'
  return endpointRow(id).does
}

/** Returns the number of requests of a run by purpose, the largest first. */
export async function requestsByPurpose(exchanges: string): Promise<[what: string, requests: number][]> {
  const all: { check: string; purpose: Purpose }[] = []
  for await (const line of createInterface(createReadStream(exchanges))) {
    const sent = JSON.parse(line) as Sent
    all.push({ check: sent.check, purpose: purposeOf(sent) })
  }
  const counts = new Map<Purpose, number>()
  for (const sent of Map.groupBy(all, ({ check }) => check).values())
    for (const { purpose } of sent) {
      const real = sent.length > BURST ? 'bursts' : purpose
      counts.set(real, (counts.get(real) ?? 0) + 1)
    }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([purpose, count]) => [PURPOSES[purpose], count])
}

/** Returns the number of pairs of clause and product kind that a run exercised; a clause without kinds counts once. */
export const pairsOf = ({ clauses }: Pick<RunRecord, 'clauses'>): number =>
  clauses
    .filter(isExercised)
    .reduce((sum, { kinds = [] }) => sum + Math.max(1, kinds.filter(isExercised).length), 0)
