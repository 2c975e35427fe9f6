import { indexedDeviants } from '../../fixtures/run/deviant-index.ts'

/**
 * Returns the ids of the deviants that break each clause, by clause. They are the kit's own: a run knows nothing of them.
 */
export async function deviantsByClause(): Promise<Map<string, string[]>> {
  const broken = (await indexedDeviants()).flatMap(({ id, breaks }) => breaks.map(clause => ({ clause, id })))
  const byClause = Map.groupBy(broken, ({ clause }) => clause)
  return new Map([...byClause].map(([clause, rows]) => [clause, rows.map(({ id }) => id)]))
}
