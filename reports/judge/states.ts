import type { CheckRecord, ClauseRecord, StateDiagram } from '../../fixtures/ground/record.ts'
import { type DiagramTransition, STATE_MODELS } from '../../fixtures/models/diagrams.ts'

/** Returns the state machines of part 3 with what a run observed of them, for products on sale. */
export function statesOf(
  clauses: readonly ClauseRecord[],
  checks: readonly Pick<CheckRecord, 'transitions'>[],
): StateDiagram[] {
  const rows = new Map(clauses.map(row => [row.id, row]))
  const walked = new Set(checks.flatMap(({ transitions }) => transitions?.visited ?? []))
  return STATE_MODELS.flatMap(({ part, title, transitions }) => {
    const offered = transitions.filter(({ clauses: ids }) =>
      ids.some(id => (rows.get(id)?.verdict ?? 'not applicable') !== 'not applicable'),
    )
    if (offered.length === 0) return []
    return [{ part, title, transitions: offered.map(one => seen(one, rows, walked)) }]
  })
}

function seen(
  { from, to, on, clauses, walked = [] }: DiagramTransition,
  rows: ReadonlyMap<string, ClauseRecord>,
  visited: ReadonlySet<string>,
): StateDiagram['transitions'][number] {
  const verdicts = clauses.map(id => rows.get(id)?.verdict)
  const came = verdicts.includes('conforms') || walked.some(name => visited.has(name))
  return {
    from,
    to,
    on,
    clauses: clauses.filter(id => rows.has(id)),
    seen: verdicts.includes('violates') ? 'broken' : came ? 'visited' : 'not visited',
  }
}

/** Returns how much of the state machines a run observed; `undefined` for records without them. */
export function statesLine(states: readonly StateDiagram[] = []): string | undefined {
  const all = states.flatMap(({ transitions }) => transitions)
  if (all.length === 0) return undefined
  return `${all.filter(one => one.seen !== 'not visited').length} of ${all.length} transitions of part 3 visited`
}
