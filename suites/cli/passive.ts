import { historyRules, passiveRules } from '../../fixtures/checkers/index.ts'

/** Clauses that passive checkers judge. */
export const passiveClauses: ReadonlySet<string> = new Set(
  [...passiveRules, ...historyRules].map(({ clause }) => clause),
)
