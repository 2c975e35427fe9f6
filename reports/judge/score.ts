/** The counted part of a deviant's result. */
interface ScoredRow {
  breaks: readonly string[]
  caught: boolean
  missedFor: readonly string[]
  operator?: string | undefined
  of?: string | undefined
}

/** How many deviants of a group were caught for every kind that shows them. */
interface Score {
  name: string
  caught: number
  of: number
}

/** The scores of written, derived and narrowed deviants, and by area and operator. */
export interface Scores {
  written: Score
  derived: Score
  narrowed: Score
  areas: Score[]
  /** By operator, for those that are not written by hand. */
  operators: Score[]
}

const scoreOf = (name: string, rows: readonly ScoredRow[]): Score => ({
  name,
  caught: rows.filter(({ caught, missedFor }) => caught && missedFor.length === 0).length,
  of: rows.length,
})

/** Computes the scores of a matrix. */
export function scoresOf(rows: readonly ScoredRow[], areaOf: (clause: string) => string): Scores {
  const made = rows.filter(({ operator }) => operator !== undefined)
  const [narrowed, derived] = [made.filter(({ of }) => of), made.filter(({ of }) => !of)]
  const grouped = (some: readonly ScoredRow[], groupOf: (row: ScoredRow) => string) =>
    [...Map.groupBy(some, groupOf)].map(([name, members]) => scoreOf(name, members))
  return {
    written: scoreOf(
      'written',
      rows.filter(({ operator }) => operator === undefined),
    ),
    derived: scoreOf('derived', derived),
    narrowed: scoreOf('at a condition', narrowed),
    areas: grouped(rows, ({ breaks }) => areaOf(breaks[0]!)),
    operators: grouped(made, ({ operator }) => operator!),
  }
}

const told = ({ name, caught, of }: Score): string => `${name} ${caught} of ${of}`

/** Returns the scores as lines, the incomplete ones first. */
export function scoreLines({ written, derived, narrowed, areas, operators }: Scores): string[] {
  const list = (scores: readonly Score[]) =>
    scores
      .toSorted((one, other) => other.of - other.caught - (one.of - one.caught))
      .map(told)
      .join(', ')
  return [
    ...[written, derived, narrowed].filter(({ of }) => of > 0).map(told),
    ...(areas.length > 1 ? [`By area: ${list(areas)}`] : []),
    ...(operators.length > 0 ? [`By operator: ${list(operators)}`] : []),
  ]
}
