import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { observe, sentenceOf } from '../../fixtures/checkers/observe.ts'
import { passiveClauses } from '../../fixtures/checkers/passive-clauses.ts'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { createRecorder } from '../../fixtures/client/recorder.ts'
import { createRedactor } from '../../fixtures/client/redact.ts'
import { type JudgedSituation, judgeTraffic, unjudged } from '../../fixtures/examine/judge.ts'
import { forForeign } from '../../fixtures/examine/recording/foreign.ts'
import { NotReadable, readHar } from '../../fixtures/examine/recording/har.ts'
import { readNdjson } from '../../fixtures/examine/recording/ndjson.ts'
import {
  clientsOf,
  NotRecorded,
  type RecordedClient,
  type RecordedClients,
  type Recording,
  recordedCheckOf,
} from '../../fixtures/examine/recording/recording.ts'
import { situationNamed } from '../../fixtures/examine/situations/index.ts'
import { KNOWLEDGE } from '../../fixtures/examine/traffic.ts'
import { say } from '../../fixtures/output/console.ts'
import { chunksOf, linesOf } from '../../fixtures/read-file.ts'
import type { CheckReport } from '../../fixtures/record.ts'
import { type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../fixtures/run/run-folder.ts'
import { known } from '../../fixtures/secrets/known.ts'
import { type ProductId, productIds } from '../../fixtures/service/products.ts'
import { assemble } from '../../reports/assemble.ts'
import { outcomeOf } from '../../reports/outcome.ts'
import { count } from '../../reports/plain.ts'
import { publish } from '../../reports/publish.ts'
import { collected } from './examination-record.ts'

/** Options of `travel-sales audit`, as they were given. */
export interface AuditOptions {
  products?: readonly string[]
  out?: string
  json?: boolean
}

/** A longer file is one that nobody meant to be judged whole. */
const LONGEST = 512 * 2 ** 20
const MOST_FILES = 1000
const WHAT_TO_GIVE = 'give a HAR file, exchanges.ndjson, or a folder of them.'
const BETWEEN_FLUSHES = 1000

/** Judges recorded traffic, and writes record and reports. Nothing is sent. */
export async function audit(
  inputs: readonly string[],
  { out = DEFAULT_OUT, json, ...options }: AuditOptions,
): Promise<ExitCode> {
  const recordings: Recording[] = []
  for (const file of inputs.flatMap(filesIn)) recordings.push(await recordingIn(file))
  const { clients, base, leftOut } = clientsIn(recordings)
  for (const { token } of clients) if (token !== null) known.learn(token, '[credential]')
  if (leftOut > 0)
    say(`${count(leftOut, 'other request')} left out: only calls of the API at ${base} are kept and judged.`)
  const startedAt = new Date()
  const folder = makeRunFolder(out, 'audit', 'audit', startedAt)
  await store(clients, folder.path)
  folder.release()
  const judged = clients.flatMap(judgeRecorded)
  const record = assemble({
    kit,
    context: { run: folder.run },
    subject: 'recording',
    deployment: {
      name: recordings
        .map(({ file }) => basename(file))
        .join(', ')
        .slice(0, 200),
      baseUrl: 'recorded',
      products: productsOf(options.products, clients),
    },
    catalogue: catalogueOf(judged),
    passiveClauses,
    collected: { checks: judged.map(collected), moduleErrors: [], unhandledErrors: [], ended: true },
    requests: { v1: sent(clients, 'v1'), v2: sent(clients, 'v2') },
    leftovers: [],
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  })
  await publish(record, folder.path, { json })
  return outcomeOf(record).exitCode
}

const sent = (clients: readonly RecordedClient[], version: 'v1' | 'v2'): number =>
  clients.flatMap(({ traffic }) => traffic.exchanges).filter(one => one.version === version).length

/** @throws {Failure} */
async function recordingIn(file: string): Promise<Recording> {
  try {
    if (statSync(file).size > LONGEST)
      throw wrongCall(`${file} is larger than ${LONGEST / 2 ** 20} MB: split it.`)
    return file.endsWith('.ndjson')
      ? await readNdjson(file, linesOf(file, LONGEST))
      : await readHar(file, chunksOf(file, LONGEST))
  } catch (error) {
    if (error instanceof NotReadable) throw wrongCall(error.message, { cause: error })
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw wrongCall(`${file} cannot be read (${code}): ${WHAT_TO_GIVE}`, { cause: error })
  }
}

/** Returns a file, or every recording in a folder. @throws {Failure} */
function filesIn(input: string): string[] {
  try {
    if (!statSync(input).isDirectory()) return [input]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw wrongCall(`${input} cannot be read (${code}): ${WHAT_TO_GIVE}`)
  }
  const files = readdirSync(input, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(?:har|ndjson)$/i.test(file))
    .slice(0, MOST_FILES)
  if (files.length === 0) throw wrongCall(`There is no .har and no .ndjson file in ${input}.`)
  return files.map(file => join(input, file))
}

/** @throws {Failure} where nothing of it is about the service */
function clientsIn(recordings: readonly Recording[]): RecordedClients {
  try {
    return clientsOf(recordings)
  } catch (error) {
    if (error instanceof NotRecorded) throw wrongCall(error.message, { cause: error })
    throw error
  }
}

/** Writes what was recorded once more, without secrets, so that findings can show it. */
async function store(clients: readonly RecordedClient[], dir: string): Promise<void> {
  let stored = 0
  const redactor = forForeign(createRedactor([], known))
  const recorder = createRecorder({ dir, worker: 0, redactor, keep: false })
  for (const { token, traffic } of clients) {
    for (const { response, endpoint: _, ...exchange } of traffic.exchanges) {
      // What went elsewhere is nobody's business: it only tells whether the credential went along.
      if (exchange.to === 'elsewhere') continue
      const bytes = exchange.request.body
      const told = { token, bodyText: bytes === null ? null : Buffer.from(bytes).toString('utf8') }
      if (response === undefined) {
        const message = 'the recording holds no answer'
        recorder.failed({ ...exchange, error: { kind: exchange.ending, message } }, told)
      } else recorder.record({ ...exchange, response }, told)
      // What is recorded waits in memory until it is written.
      if (++stored % BETWEEN_FLUSHES === 0) await recorder.flush()
    }
  }
  await recorder.close()
}

/** What each client did, what was answered to it, and what the recording does not tell. */
function judgeRecorded({ name, traffic, answered }: RecordedClient): JudgedSituation[] {
  const judged = judgeTraffic({ label: name, traffic, situation: situationNamed, check: recordedCheckOf })
  const unknown = [...unjudged(traffic)].map(([lacking, clauses]) => ({
    check: `audit > ${name} > without ${lacking}`,
    situation: undefined,
    milliseconds: 0,
    report: {
      ...NOTHING,
      clauses,
      stopped: {
        verdict: 'not exercised' as const,
        reason: `the recording does not tell ${KNOWLEDGE[lacking]}`,
      },
    },
  }))
  return [...judged, ...unknown, ...(answered.length === 0 ? [] : [judgeAnswers(name, answered)])]
}

const NOTHING = { clauses: [], exercised: [], findings: [], requests: { v1: 0, v2: 0 }, properties: [] }

/** Findings of one clause that are told. */
const MOST_FINDINGS = 5

/** Holds every answer to what the document promises of all of them. */
function judgeAnswers(name: string, answered: readonly Exchange[]): JudgedSituation {
  const check = `audit > ${name} > answers`
  const exercised = new Set<string>()
  const findings: CheckReport['findings'] = []
  for (const exchange of answered) {
    for (const { clause, violation } of observe(exchange)) {
      exercised.add(clause)
      if (violation === null) continue
      const told = findings.filter(finding => finding.clause === clause).length
      if (told >= MOST_FINDINGS) continue
      const message = sentenceOf(violation, exchange)
      findings.push({ clause, message, ...violation, source: 'passive', check, exchanges: [exchange.id] })
    }
  }
  const report = { ...NOTHING, exercised: [...exercised], findings }
  return { check, situation: undefined, milliseconds: 0, report }
}

/** Clauses of clients, and those of deployments that recorded answers can show. */
function catalogueOf(judged: readonly JudgedSituation[]): Record<string, Clause> {
  const shown = new Set<string>(judged.flatMap(({ report }) => report.exercised))
  return Object.fromEntries(
    Object.entries(CLAUSES).filter(([id, { side }]) => side === 'client' || shown.has(id)),
  )
}

/** Products that are named, or else those that the recording is about. @throws {Failure} for unknown ones */
function productsOf(names: readonly string[] | undefined, clients: readonly RecordedClient[]): ProductId[] {
  const unknown = (names ?? []).filter(name => !productIds.some(id => id === name))
  if (unknown.length > 0)
    throw wrongCall(`There is no product ${unknown.join(', ')}: give some of ${productIds.join(', ')}.`)
  if (names !== undefined) return productIds.filter(id => names.includes(id))
  const paths = clients.flatMap(({ traffic }) => traffic.exchanges.map(({ request }) => request.path))
  return productIds.filter(id => paths.some(path => PATHS[id].test(path)))
}

/** Paths that tell which product a client uses. */
const PATHS: Record<ProductId, RegExp> = {
  'v1-hotels': /^\/api\/v1\/hotel\//,
  'v1-transfers': /^\/api\/v1\/transfer\//,
  'v1-park-a': /^\/api\/v1\/parkA\//,
  'v1-park-b': /^\/api\/v1\/parkB\//,
  'v2-transfers': /^\/api\/v2\/transfers\//,
  'v2-tickets': /^\/api\/v2\/tickets\//,
  'v2-hotels': /^\/api\/v2\/hotels\//,
}
