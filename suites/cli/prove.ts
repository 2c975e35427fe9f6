import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { styleText } from 'node:util'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { deviants } from '../../fixtures/deviants/index.ts'
import { oneLine } from '../../reports/plain.ts'
import { createProgress, wantsColour } from '../../reports/terminal.ts'
import { conduct } from './conduct.ts'
import { EXIT, type ExitCode } from './failure.ts'
import { isProven, type Matrix, matrixMarkdown, matrixOf, type ProvenDeviant, sentence } from './matrix.ts'
import { notWritten } from './run-folder.ts'
import { type Selection, select } from './selection.ts'

/** Options of `tss prove`, as they were given. */
export interface ProveOptions {
  only?: string
  seed?: number
  out: string
  json?: boolean
}

/** Runs the checks against every deviant and against the untouched deployment, and prints who was caught. */
export async function prove({ only, seed = randomInt(2 ** 31), out, json }: ProveOptions): Promise<ExitCode> {
  const { chosen, selection } = choose(only)
  const progress = createProgress({
    stream: process.stderr,
    colour: wantsColour(process.stderr, process.env),
  })
  const conducted = await conduct({
    deployment: 'embedded',
    seed,
    out,
    prove: { variants: chosen.map(({ id, breaks }) => ({ id, clauses: breaks })) },
    ...(selection === undefined ? {} : { only: selection }),
    // What is found on a deviant is what is wanted: it is no finding of the run.
    onProgress: ({ done, total }) => progress.update({ done, total, findings: 0 }),
    onNotice(notice) {
      progress.end()
      console.error(notice)
    },
  }).finally(progress.end)

  const { folder, collected, halted, startedAt, finishedAt } = conducted
  const matrix = matrixOf(collected, chosen, {
    catalogue: CLAUSES,
    breakable: new Set(deviants.flatMap(({ breaks }) => breaks)),
  })
  const document = {
    run: folder.run,
    seed,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    proven: isProven(matrix) && halted === undefined,
    ...(halted === undefined ? {} : { halted: halted.sentence }),
    ...matrix,
  }
  try {
    writeFileSync(join(folder.path, 'prove.json'), `${JSON.stringify(document, null, 2)}\n`)
    writeFileSync(join(folder.path, 'prove.md'), matrixMarkdown(matrix, folder.run))
  } catch (error) {
    throw notWritten(folder.path, error)
  }
  if (json) console.log(JSON.stringify(document, null, 2))
  else {
    process.stdout.write(matrixText(matrix, wantsColour(process.stdout, process.env)))
    const seconds = (finishedAt.getTime() - startedAt.getTime()) / 1000
    console.log(
      `${seconds.toFixed(1)} s. Seed: ${seed}. Matrix: ${relative(process.cwd(), folder.path)}/prove.md`,
    )
  }
  if (halted !== undefined) {
    console.error(`Not completed: ${halted.sentence}`)
    return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  }
  return isProven(matrix) ? EXIT.conforms : EXIT.violates
}

/** The deviants that `--only` asks for, and the checks that can catch them. */
function choose(only: string | undefined): { chosen: readonly ProvenDeviant[]; selection?: Selection } {
  if (only === undefined) return { chosen: deviants }
  const one = deviants.find(({ id }) => id === only)
  const names = Object.fromEntries(deviants.map(({ id, breaks }) => [id, breaks]))
  const wanted = select(only, CLAUSES, names)
  const chosen = one === undefined ? deviants.filter(({ breaks }) => wanted.matches(breaks)) : [one]
  const clauses = [...new Set(chosen.flatMap(({ breaks }) => breaks))]
  // A deviant may be caught under any of its clauses, also under those that were not asked for.
  return { chosen, selection: clauses.length === 0 ? wanted : select(clauses.join(' or '), CLAUSES) }
}

function matrixText(matrix: Matrix, colour: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const { deviants: rows, control, unproven } = matrix
  const width = Math.max(0, ...rows.map(({ id }) => id.length))
  const lines = rows.map(({ id, caught, under, breaks, also, evidence, checks }) => {
    const mark = caught ? paint('green', 'caught') : paint(['red', 'bold'], 'MISSED')
    const found = caught
      ? `${under.join(', ')}${also.length === 0 ? '' : paint('dim', ` (also ${also.length} more)`)}`
      : `${breaks.join(', ')}: ${checks === 0 ? 'no check cites its clauses' : `${checks} checks found nothing${evidence === undefined ? '' : `; ${oneLine(evidence)}`}`}`
    return `${mark}  ${id.padEnd(width)}  ${found}`
  })
  const list = (title: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : ['', paint('bold', title), ...entries.map(entry => `  ${oneLine(entry)}`)]
  return `${[
    ...lines,
    ...list(
      'False alarms on the untouched deployment',
      control.findings.map(({ clause, check, message }) => `${clause}: ${message} (${check})`),
    ),
    ...list('Could not run on the untouched deployment', control.errors),
    ...list('Binding clauses without a deviant', unproven),
    '',
    paint('bold', sentence(matrix)),
  ].join('\n')}\n`
}
