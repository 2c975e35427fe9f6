import { everyDeviant } from '../../fixtures/run/tracing.ts'

/** Returns the ids of the kit's deviants by the clauses that they break. */
export const deviantsByClause = async (): Promise<Map<string, string[]>> => breakersOf(await everyDeviant())

/** Returns the ids of some deviants by the clauses that they break. */
export function breakersOf(all: readonly { id: string; breaks: readonly string[] }[]): Map<string, string[]> {
  const broken = all.flatMap(({ id, breaks }) => breaks.map(clause => ({ clause, id })))
  const byClause = Map.groupBy(broken, ({ clause }) => clause)
  return new Map([...byClause].map(([clause, rows]) => [clause, rows.map(({ id }) => id)]))
}
