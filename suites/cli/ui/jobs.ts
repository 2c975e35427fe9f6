import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { realEnvironment } from '../../../fixtures/deployments/environment/index.ts'
import { jsonIn } from '../../../fixtures/ground/read-json.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'
import { shorten } from '../../../reports/render/plain.ts'
import type { RunEvent } from '../../../reports/terminal/progress.ts'
import { TELLS_EVENTS } from '../deployments/watched-run.ts'

type Of<Name extends RunEvent['event']> = Extract<RunEvent, { event: Name }>

/** A command to run. */
export interface Task {
  /** The title for people: `Certify embedded`. */
  title: string
  /** The definition that it uses; only one command at a time can use it. */
  definition: string
  /** The words after `travel-sales`. */
  args: readonly string[]
}

/** A command that a page started. */
export interface Job extends Task {
  readonly id: string
  state: 'running' | 'stopping' | 'ended'
  /** The exit code, once it has ended; `null` if it was killed. */
  code?: number | null
  /** The folder of the run, once that exists. */
  started?: Of<'started'>
  progress?: Of<'progress'>
  readonly findings: Of<'finding'>[]
  readonly notices: string[]
  output: string
  readonly ended: Promise<void>
  /** Interrupts it as Ctrl-C does: it cancels bookings, and writes its findings. */
  stop(): void
}

/** The most notices, and characters of notices and output, that are kept of a command. */
const MOST_NOTICES = 100
const LONGEST_NOTICE = 1_000
const MOST_OUTPUT = 64 * 1024
/** The most commands that run at once, and that are kept in the list. */
const MOST_RUNNING = 4
const MOST_REMEMBERED = 50

/** The commands that pages start. */
export interface Jobs {
  /** Starts a command. @throws {Failure} if another one uses its definition, or too many run */
  start(task: Task): Job
  find(id: string): Job | undefined
  /** Newest first. */
  all(): readonly Job[]
  running(): readonly Job[]
}

/**
 * Starts commands as separate processes, so that bookings are journalled, cancelled and listed as on the command line, even
 * if the pages end. A channel tells them when this process ends, and they stop then, too.
 *
 * @param command the command line of `travel-sales`
 * @param onEnd called when a command has ended
 */
export function createJobs(command: readonly [string, ...string[]], onEnd: () => void): Jobs {
  const jobs: Job[] = []
  let count = 0
  const running = () => jobs.filter(({ state }) => state !== 'ended')
  return {
    find: id => jobs.find(job => job.id === id),
    all: () => jobs,
    running,
    start(task) {
      const other = running().find(({ definition }) => definition === task.definition)
      if (other !== undefined)
        throw wrongCall(`${other.title} still goes on with ${task.definition}: wait for its end, or stop it.`)
      if (running().length >= MOST_RUNNING)
        throw wrongCall(`${MOST_RUNNING} runs go on: wait for the end of one, or stop it.`)
      count++
      const job = startJob(String(count), task, command)
      jobs.unshift(job)
      jobs.splice(MOST_REMEMBERED)
      void job.ended.then(onEnd)
      return job
    },
  }
}

function startJob(id: string, task: Task, [program, ...before]: readonly [string, ...string[]]): Job {
  const child = spawn(program, [...before, ...task.args], {
    env: { ...realEnvironment(), [TELLS_EVENTS]: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const note = (text: string) => {
    if (job.notices.length < MOST_NOTICES && text !== '') job.notices.push(shorten(text, LONGEST_NOTICE))
  }
  const job: Job = {
    ...task,
    id,
    state: 'running',
    findings: [],
    notices: [],
    output: '',
    ended: new Promise(resolve => {
      child.once('error', error => {
        note(`It could not be started: ${error.message}`)
        end(null)
      })
      child.once('close', end)
      function end(code: number | null) {
        job.code = code
        job.state = 'ended'
        resolve()
      }
    }),
    stop() {
      if (job.state !== 'running') return
      job.state = 'stopping'
      // Windows has no such signal; there, closing the channel interrupts the command in the same way.
      if (process.platform === 'win32') child.disconnect()
      else child.kill('SIGINT')
    },
  }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    job.output = (job.output + text).slice(0, MOST_OUTPUT)
  })
  createInterface({ input: child.stderr! }).on('line', line => {
    const told = jsonIn(line) as RunEvent | undefined
    if (told?.event === 'started') job.started = told
    else if (told?.event === 'progress') job.progress = told
    else if (told?.event === 'finding') job.findings.push(told)
    else note(told?.event === 'notice' ? told.text : line)
  })
  return job
}
