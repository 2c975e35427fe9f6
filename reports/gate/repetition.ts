import type { ClauseRecord, RunRecord } from '../../fixtures/record.ts'
import { hasUnwaived } from './waivers.ts'

/** A clause that was broken in some of several runs. */
export interface Repeated {
  id: string
  level: ClauseRecord['level']
  /** The number of runs in which it was broken, and in which it conformed. */
  broken: number
  conforming: number
}

/** The combined result of several runs of the same checks. */
export interface Repetition {
  /** Broken in every run that exercised it. */
  solid: Repeated[]
  /** Broken in some runs and conforming in others. Never green. */
  flaky: Repeated[]
}

/** Separates clauses that are always broken from those that are sometimes broken. */
export function repetition(records: readonly RunRecord[]): Repetition {
  const seen = new Map<string, Repeated>()
  for (const row of records.flatMap(({ clauses }) => clauses)) {
    const { id, level } = row
    const known = seen.get(id) ?? { id, level, broken: 0, conforming: 0 }
    if (hasUnwaived(row)) known.broken++
    else if (row.verdict === 'conforms') known.conforming++
    seen.set(id, known)
  }
  const broken = [...seen.values()].filter(row => row.broken > 0)
  return {
    solid: broken.filter(({ conforming }) => conforming === 0),
    flaky: broken.filter(({ conforming }) => conforming > 0),
  }
}

/** Returns the result of several runs as text. It ends with a newline. */
export function repetitionText({ solid, flaky }: Repetition, runs: number): string {
  const line = ({ id, level, broken, conforming }: Repeated): string =>
    `  ${id}${level === 'should' ? ' (should)' : ''}: broken in ${broken}, conforming in ${conforming}`
  const part = (title: string, rows: readonly Repeated[]): string[] =>
    rows.length === 0 ? [] : [title, ...rows.map(line)]
  const lines = [
    ...part('Broken every time', solid),
    ...part('Flaky: broken in some runs, conforming in others', flaky),
  ]
  const found = lines.length === 0 ? ['Nothing was found in any of them.'] : lines
  return `${[`${runs} runs`, ...found].join('\n')}\n`
}
