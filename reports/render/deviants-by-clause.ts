import { indexedDeviants } from '../../fixtures/run/deviant-index.ts'

/**
 * Returns the ids of the deviants that break each clause, by clause. They are the kit's own: a run knows nothing of them.
 */
export async function deviantsByClause(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { id, breaks } of await indexedDeviants()) {
    for (const clause of breaks) {
      const known = found.get(clause)
      if (known === undefined) found.set(clause, [id])
      else known.push(id)
    }
  }
  return found
}
