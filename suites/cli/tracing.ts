import type { TestCase } from 'vitest/node'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES, clauseIds } from '../../fixtures/clauses/index.ts'
import { createShared } from '../../fixtures/client/shared.ts'
import { findDefinition } from '../../fixtures/deployments/load.ts'
import { deviants } from '../../fixtures/deviants/index.ts'
import { passiveClauses } from './passive.ts'
import { collectSuites } from './runner.ts'

/** A clause with everything that decides it and everything that proves that it is decided. */
export interface TracedClause extends Clause {
  id: string
  /** Titles of the checks that cite it, with their files. */
  checks: string[]
  /** Every exchange of every check is judged by it. */
  passive: boolean
  /** Deployments with this rule broken. */
  deviants: { id: string; because: string }[]
}

/** Whether anything decides a clause. */
export const isCovered = ({ checks, passive, open }: TracedClause): boolean =>
  open !== true && (checks.length > 0 || passive)

/** The whole catalogue, traced. Loads every suite and runs none. */
export async function traceClauses(): Promise<TracedClause[]> {
  const modules = await collectSuites(
    {
      run: 'none',
      definition: findDefinition('embedded', process.cwd()),
      seed: 0,
      connections: 1,
      out: '',
      shared: createShared({ credentials: 0, perMinute: 1 }),
    },
    clauseIds,
  )
  const citing = new Map<string, string[]>()
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      for (const tag of test.tags) citing.set(tag, [...(citing.get(tag) ?? []), nameOf(test)])
    }
  }
  return clauseIds.map(id => ({
    id,
    ...(CLAUSES[id] as Clause),
    checks: citing.get(id) ?? [],
    passive: passiveClauses.has(id),
    deviants: deviants
      .filter(({ breaks }) => breaks.includes(id))
      .map(({ id, because }) => ({ id, because })),
  }))
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`
}
