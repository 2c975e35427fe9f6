import { relative, sep } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { LEFT_OUT } from '../fixtures/check/session/run-context.ts'
import { isEndedFirst } from '../fixtures/client/pace/index.ts'
import type { Collected, CollectedCheck, Progress } from '../fixtures/run/collected.ts'
import { plain } from './render/plain.ts'

interface RunReporterOptions {
  /** The folder that check ids are relative to. */
  root: string
  onProgress?: (progress: Progress) => void
  /** Receives each finished check. */
  onCheck?: (check: CollectedCheck) => void
}

interface Thrown {
  name?: string
  message: string
  stacks?: readonly { file: string; line: number; column: number }[]
}

/** The names of errors that a check throws to end itself. Its report says more. */
const ENDS = ['ViolationFound', 'Inconclusive']

/** Errors of requests whose check has ended: caused by the deployment or the run, not by the kit. */
const ANSWERS = [...ENDS, 'TransportError', 'RunStopped', 'NotAllowed', 'AbortError']

/**
 * Collects the reports of checks, and everything that kept a check from reporting. It prints nothing.
 *
 * Pass an instance to vitest as a reporter; after the run, `collected()` is the input of `assemble`.
 */
export class RunReporter implements Reporter {
  readonly #options: RunReporterOptions
  readonly #checks = new Map<string, CollectedCheck>()
  readonly #progress: Progress = {
    done: 0,
    checks: 0,
    findings: 0,
  }
  readonly #broken = new Set<string>()
  readonly #moduleErrors: Collected['moduleErrors'] = []
  readonly #unhandledErrors: string[] = []
  /** The number of running test runners. A run has one per worker. */
  #underway = 0
  #ended = false

  constructor(options: RunReporterOptions) {
    this.#options = options
  }

  onTestRunStart(): void {
    this.#underway++
  }

  onTestModuleCollected(module: TestModule): void {
    const selected = [...module.children.allTests()].filter(test => test.result().state !== 'skipped')
    this.#progress.checks += selected.length
    this.#tell()
  }

  onTestCaseResult(test: TestCase): void {
    const check = this.#collect(test)
    if (check.note === LEFT_OUT) this.#progress.checks--
    if (check.state === 'skipped' && check.report === undefined) return
    // A check that was cut off does not count as done, or a stopped run would look complete.
    if (!isEndedFirst(check.report?.stopped?.reason)) this.#progress.done++
    for (const { clause } of check.report?.findings ?? []) this.#broken.add(clause)
    this.#progress.findings = this.#broken.size
    this.#tell()
    this.#options.onCheck?.(check)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly Thrown[]): void {
    this.#ended = --this.#underway === 0
    for (const module of modules) {
      const file = this.#file(module)
      // Includes those without a result: they must not vanish from the record.
      for (const test of module.children.allTests()) this.#collect(test)
      const broken = [module, ...module.children.allSuites()].flatMap(entity =>
        entity.errors().map(error => ({
          file: entity.type === 'suite' ? `${file} > ${entity.fullName}` : file,
          message: this.#say(error),
        })),
      )
      this.#moduleErrors.push(...broken)
      if (
        broken.length === 0 &&
        ['queued', 'pending'].includes(module.state()) &&
        module.children.size === 0
      ) {
        this.#moduleErrors.push({ file, message: 'it was never loaded, so none of its checks ran' })
      }
    }
    const said = unhandledErrors.filter(({ name }) => !ANSWERS.includes(name ?? ''))
    this.#unhandledErrors.push(...said.map(error => this.#say(error)))
  }

  /** Returns everything collected so far. It is complete once vitest has reported the end of the run. */
  collected(): Collected {
    return {
      checks: [...this.#checks.values()],
      moduleErrors: this.#moduleErrors,
      unhandledErrors: this.#unhandledErrors,
      ended: this.#ended,
    }
  }

  #tell(): void {
    this.#options.onProgress?.({ ...this.#progress })
  }

  #collect(test: TestCase): CollectedCheck {
    const file = this.#file(test.module)
    const title = [...outsideIn(test.parent).map(({ name }) => name), test.name]
    const result = test.result()
    const { check: report, kind, product } = test.meta()
    const thrown: readonly Thrown[] = result.errors ?? []
    const accounted = report === undefined ? [] : ENDS
    // Tests of a suite whose hook failed are reported as skipped, but they could not run.
    const inherited = result.state === 'skipped' && report === undefined ? this.#errorsAround(test) : []
    const note = result.state === 'skipped' ? result.note : undefined
    const check: CollectedCheck = {
      id: [file, ...title].join(' > '),
      file,
      title,
      tags: [...test.tags],
      kind,
      product,
      milliseconds: test.diagnostic()?.duration ?? 0,
      state: inherited.length > 0 ? 'failed' : result.state,
      errors: [
        ...thrown.filter(({ name }) => !accounted.includes(name ?? '')).map(error => this.#say(error)),
        ...inherited,
      ],
      note,
      report,
    }
    this.#checks.set(test.id, check)
    return check
  }

  #errorsAround(test: TestCase): string[] {
    return [test.module, ...outsideIn(test.parent)].flatMap(entity =>
      entity.errors().map(error => this.#say(error)),
    )
  }

  #file({ moduleId }: TestModule): string {
    return relative(this.#options.root, moduleId).replaceAll(sep, '/')
  }

  /** Returns the name, message and place in the kit's own files of an error. */
  #say({ name, message, stacks }: Thrown): string {
    const frame = stacks?.find(({ file }) => !file.includes('node_modules'))
    const where =
      frame === undefined
        ? ''
        : ` (${relative(this.#options.root, frame.file)}:${frame.line}:${frame.column})`
    return plain(`${name === undefined || name === 'Error' ? '' : `${name}: `}${message}${where}`)
  }
}

function outsideIn(entity: TestSuite | TestModule): TestSuite[] {
  return entity.type === 'suite' ? [...outsideIn(entity.parent), entity] : []
}
