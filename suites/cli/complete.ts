import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RootCommand } from '@bomb.sh/tab'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { situations } from '../../fixtures/examine/situations/index.ts'
import { productIds } from '../../fixtures/service/products.ts'
import { SCENARIOS } from '../../load/plan/plan.ts'

/** The default folder of runs. */
const RUNS = 'reports/out'

function runs(): string[] {
  try {
    const folders = readdirSync(RUNS, { withFileTypes: true }).filter(entry => entry.isDirectory())
    return folders.map(({ name }) => join(RUNS, name))
  } catch {
    return []
  }
}

const clauses = (): string[] => [
  ...new Set(Object.values(CLAUSES).map(({ area }) => area)),
  ...Object.keys(CLAUSES),
]

/** The values that can be completed, by the name of the option or argument. */
const NAMES: Readonly<Record<string, () => readonly string[]>> = {
  only: clauses,
  clause: clauses,
  finding: clauses,
  run: runs,
  failed: runs,
  baseline: runs,
  earlier: runs,
  later: runs,
  scenario: () => SCENARIOS,
  situation: () => situations.map(({ id }) => id),
  products: () => productIds,
  'test-products': () => productIds,
  deployment: () => ['embedded', 'env'],
}

/**
 * Adds completion to every option and argument that names a clause, an area, a scenario, a situation, a product or a run.
 */
export function completeNames({ commands }: RootCommand): void {
  for (const command of commands.values()) {
    for (const [name, part] of [...command.options, ...command.arguments]) {
      const names = NAMES[name]
      if (names === undefined) continue
      part.handler = complete => {
        for (const each of names()) complete(each, '')
      }
    }
  }
}
