import type { Product } from '../fixtures/deployments/control.ts'
import type { ClauseRecord } from '../fixtures/record.ts'
import { areasOf } from './areas.ts'
import type { RunInput } from './assemble.ts'
import type { Judgement } from './judge-check.ts'
import { UNDECIDED } from './judge-check.ts'
import { count } from './plain.ts'

/** What of a run tells whether it was whole. */
interface Seen {
  clauses: readonly ClauseRecord[]
  judgements: readonly Judgement[]
}

/** Clauses that a reason names. */
const NAMED = 6

/**
 * Returns why a run looked at less than the definition of its deployment makes reachable, one sentence each; nothing
 * where it did not. A run of selected checks is judged by what was selected.
 */
export function whyIncomplete(input: RunInput, { clauses, judgements }: Seen): string[] {
  const { only, halted, spent } = input
  const whole = only === undefined && halted === undefined && spent === undefined
  return [
    ...(halted === undefined ? [] : [`The run was not completed: ${halted}.`]),
    ...(spent === undefined ? [] : [`The run was cut short: ${spent}.`]),
    ...(halted === undefined ? undecided(clauses) : []),
    ...(only === undefined ? unchecked(input) : []),
    ...(whole ? unsold(input, judgements) : []),
  ]
}

/** A check that ends without a word on what it cites, and without a reason, decided nothing. */
function undecided(clauses: readonly ClauseRecord[]): string[] {
  const ids = clauses
    .filter(({ verdict, reason }) => verdict === 'not exercised' && reason?.split('; ').includes(UNDECIDED))
    .map(({ id }) => id)
  if (ids.length === 0) return []
  const rest = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
  return [
    `${count(ids.length, 'clause was', 'clauses were')} not decided, though a check of each ran to its end: ${ids.slice(0, NAMED).join(', ')}${rest}.`,
  ]
}

/** Products that are claimed, and that the kit can hardly judge yet: most of their clauses have no check. */
function unchecked({ deployment, catalogue }: RunInput): string[] {
  if (deployment.productsAssumed) return []
  return deployment.products.flatMap(product => {
    const areas = areasOf(product)
    const own = Object.values(catalogue).filter(
      ({ area, unobservable }) => areas.includes(area) && unobservable === undefined,
    )
    const open = own.filter(clause => clause.open === true).length
    if (open === 0 || open * 2 < own.length) return []
    return [
      `The definition claims ${product}, and the kit has no checks yet for ${open} of the ${own.length} clauses about it.`,
    ]
  })
}

/** Products of v2 that are claimed, and of which nothing was offered or booked; at least one has to be in any run. */
function unsold({ deployment, collected }: RunInput, judgements: readonly Judgement[]): string[] {
  const reached = new Set(collected.checks.flatMap(({ report }) => report?.reached ?? []))
  const concerned = deployment.products.filter(product => product.startsWith('v2-'))
  if (judgements.length === 0 || concerned.length === 0) return []
  const missing = concerned.filter(product => !reached.has(product))
  if (deployment.productsAssumed) {
    if (missing.length < concerned.length) return []
    return [
      `Nothing of any product was offered or booked (${concerned.join(', ')} were assumed): say which the deployment sells, and how they look there.`,
    ]
  }
  return missing.map(
    (product: Product) =>
      `The definition claims ${product}, and nothing of it was offered or booked in this run.`,
  )
}
