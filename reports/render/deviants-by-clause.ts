import { indexedDeviants } from '../../fixtures/run/deviant-index.ts'

/** Returns the ids of the deviants that break a clause, by clause. They are the kit's own: a run knows nothing of them. */
export const deviantsByClause = async (): Promise<Map<string, string[]>> =>
  breakersOf(await indexedDeviants())

/** Returns the ids of those of some deviants that break a clause, by clause. */
export function breakersOf(all: readonly { id: string; breaks: readonly string[] }[]): Map<string, string[]> {
  const broken = all.flatMap(({ id, breaks }) => breaks.map(clause => ({ clause, id })))
  const byClause = Map.groupBy(broken, ({ clause }) => clause)
  return new Map([...byClause].map(([clause, rows]) => [clause, rows.map(({ id }) => id)]))
}
