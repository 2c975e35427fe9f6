import type { ClauseRecord, RunRecord } from '../../fixtures/record.ts'
import { hasUnwaived } from './waivers.ts'

/** A clause that was seen broken in some of several runs. */
export interface Repeated {
  id: string
  level: ClauseRecord['level']
  /** In how many runs it was seen broken, and in how many it conformed. */
  broken: number
  conforming: number
}

/** What several runs of the same checks come to. */
export interface Repetition {
  /** Broken in every run that exercised it. */
  solid: Repeated[]
  /** Broken in some runs, conforming in others. Never green. */
  flaky: Repeated[]
}

/** Tells what is broken every time from what is broken now and then. */
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

/** Several runs for people. Ends with a newline. */
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
