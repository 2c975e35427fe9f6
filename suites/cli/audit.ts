import { basename } from 'node:path'
import type { CheckReport } from '../../fixtures/check-report.ts'
import { observe, ofKnown, sentenceOf } from '../../fixtures/checkers/observe.ts'
import { isContinued, v1SearchRules } from '../../fixtures/checkers/v1-hotels/search.ts'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { readText } from '../../fixtures/client/body.ts'
import { Recorder } from '../../fixtures/client/recorder.ts'
import { createRedactor } from '../../fixtures/client/redact.ts'
import { type JudgedSituation, judgeTraffic, unjudged } from '../../fixtures/examine/judge.ts'
import { forForeign } from '../../fixtures/examine/recording/foreign.ts'
import { type HarRead, NotReadable } from '../../fixtures/examine/recording/har.ts'
import { type RecordedFile, recordedFilesIn } from '../../fixtures/examine/recording/recorded-file.ts'
import {
  clientsOf,
  NOT_KEPT,
  NOT_RECORDED,
  outlineOf,
  type Placed,
  type Recorded,
  type RecordedClient,
  type RecordedClients,
  type Recording,
  recordedCheckOf,
} from '../../fixtures/examine/recording/recording.ts'
import {
  type ClientExchange,
  KNOWLEDGE,
  type Knowledge,
  type Traffic,
} from '../../fixtures/examine/traffic.ts'
import { header, withUnknownBodies } from '../../fixtures/exchange.ts'
import { passiveClauses } from '../../fixtures/model/passive-clauses.ts'
import { say } from '../../fixtures/output/console.ts'
import { type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../fixtures/run/run-folder.ts'
import { CREDENTIAL, known } from '../../fixtures/secrets/known.ts'
import { SPELLED_OUT } from '../../fixtures/secrets/search.ts'
import { type ProductId, productIds } from '../../fixtures/service/products.ts'
import { publish } from '../../reports/folder/write.ts'
import { assemble } from '../../reports/judge/assemble.ts'
import { outcomeOf } from '../../reports/judge/outcome.ts'
import { count } from '../../reports/render/plain.ts'
import { namesAmong } from './arguments.ts'
import { collected } from './examination-record.ts'

/** Judges recorded traffic, and writes record and reports. Sends nothing. */
export async function audit(
  inputs: readonly string[],
  {
    products: named,
    out = DEFAULT_OUT,
    json,
  }: { products?: readonly string[]; out?: string; json?: boolean },
): Promise<ExitCode> {
  const files = (await readable(() => Promise.all(inputs.map(recordedFilesIn)))).flat()
  // The files are read twice: only the first pass shows what is secret, and all bodies would not fit in memory.
  const recordings: Recording[] = []
  const unseen: string[] = []
  for (const file of files) {
    const outlines: Recorded[] = []
    const read = await readable(() => file.read(recorded => outlines.push(outlineOf(recorded))))
    sayLeftOut(file.path, read)
    if (read.odd > read.entries * FEW)
      unseen.push(`${read.odd} of ${read.entries} entries of ${basename(file.path)} could not be read.`)
    recordings.push({ file: file.path, outlines, own: read.own })
  }
  const recorded = clientsOf(recordings)
  if (recorded === undefined)
    throw wrongCall('No request in it goes to a path that begins with /api/v1/ or /api/v2/.')
  const { clients, base, leftOut, bodies, requests } = recorded
  for (const [at, { secret }] of clients.entries())
    if (secret !== null) known.learn(secret, CREDENTIAL, at < SPELLED_OUT ? 'credential' : 'one of many')
  if (leftOut > 0)
    say(`${count(leftOut, 'other request')} left out: only calls of the API at ${base} are kept and judged.`)
  for (const sentence of unknownBodies(bodies)) say(sentence)
  unseen.push(...unknownBodies(bodies, FEW))
  if (requests.unknown > requests.all * FEW)
    unseen.push(
      `The answers to ${requests.unknown} of ${count(requests.all, 'request')} are not in the recording.`,
    )
  const startedAt = new Date()
  const folder = makeRunFolder(out, 'audit', 'audit', startedAt)
  const answers = await storeAll(files, recordings, recorded, folder.path)
  folder.release()
  const traffics = clients.map(client => {
    const traffic = client.traffic()
    return { client, traffic, judged: judgeTraffic(client.name, traffic, recordedCheckOf) }
  })
  const judged = [
    ...traffics.flatMap(({ client, judged: own }) => [...own, ...(answers.get(client)?.judged() ?? [])]),
    ...undecidable(traffics, bodies),
  ]
  const sent = traffics.flatMap(({ traffic }) => traffic.exchanges)
  const to = (version: 'v1' | 'v2'): number => sent.filter(one => one.version === version).length
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
      products: productsOf(named, sent),
    },
    catalogue: catalogueOf(judged),
    passiveClauses,
    collected: { checks: judged.map(collected), moduleErrors: [], unhandledErrors: [], ended: true },
    requests: { v1: to('v1'), v2: to('v2') },
    leftovers: [],
    unseen,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  })
  await publish(record, folder.path, { json })
  return outcomeOf(record).exitCode
}

/** Refuses what cannot be read. @throws {Failure} */
async function readable<Found>(read: () => Promise<Found>): Promise<Found> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NotReadable) throw wrongCall(error.message, { cause: error })
    throw error
  }
}

/** Says what was left out of a recording. */
function sayLeftOut(path: string, { entries, odd, why }: HarRead): void {
  if (odd > 0) say(`${odd} of ${count(entries, 'entry', 'entries')} of ${path} left out. ${why ?? ''}`.trim())
}

/** A part of the entries or bodies up to which a recording tells enough to pass. */
const FEW = 1 / 2

const BODIES = { requests: 'request', answers: 'answer' } as const

/** Returns how many bodies are not known, one sentence for requests and one for answers. */
function unknownBodies(bodies: RecordedClients['bodies'], most = 0): string[] {
  return (['requests', 'answers'] as const).flatMap(side => {
    const { all, unknown } = bodies[side]
    if (unknown <= most * all) return []
    return [
      `The bodies of ${unknown} of ${count(all, BODIES[side])} were not recorded as they were sent, and are judged by nobody.`,
    ]
  })
}

/**
 * Writes the recorded exchanges once more without secrets, so that findings can show them, and gives each client the part
 * that rules need.
 *
 * @returns the judged answers, by client
 */
async function storeAll(
  files: readonly RecordedFile[],
  recordings: readonly Recording[],
  { clients, place }: RecordedClients,
  dir: string,
): Promise<Map<RecordedClient, ReturnType<typeof answersTo>>> {
  const answers = new Map(clients.map(client => [client, answersTo(client)]))
  const redactor = forForeign(createRedactor([], known))
  const recorder = new Recorder({ dir, worker: 0, redactor, keep: false })
  for (const [number, file] of files.entries()) {
    let at = 0
    await readable(() =>
      file.read(recorded => {
        const placed = place(recordings[number]!.outlines[at++], recorded)
        if (placed === undefined) return
        placed.client.add(placed)
        // Calls of other servers are not stored: they only show whether the credential was sent there.
        if (placed.exchange.to === 'elsewhere') return
        answers.get(placed.client)!.judge(placed)
        store(recorder, placed)
      }),
    )
  }
  await recorder.close()
  return answers
}

function store(recorder: Recorder, placed: Placed): void {
  const { client, exchange, response, hasAnswer } = placed
  const { endpoint: _, ...rest } = shownWithout(exchange)
  const bytes = rest.request.body
  const told = { token: client.secret, bodyText: bytes === null ? null : Buffer.from(bytes).toString('utf8') }
  if (response === undefined) {
    const message = 'the recording holds no answer'
    recorder.failed({ ...rest, error: { kind: exchange.ending, message } }, told)
  } else recorder.record({ ...rest, response: hasAnswer ? response : { ...response, ...UNKNOWN_BODY } }, told)
}

const UNKNOWN_BODY = { rawBody: Buffer.from(NOT_RECORDED), ...readText(Buffer.from(NOT_RECORDED), []) }

/** Returns an exchange that says of the body of its request if it is not known. */
const shownWithout = (exchange: Placed['exchange']): Placed['exchange'] =>
  exchange.request.body === null && exchange.lacks?.has('requests')
    ? { ...exchange, request: { ...exchange.request, body: UNKNOWN_BODY.rawBody } }
    : exchange

/** Returns checks with the clauses that a recording cannot show, one for each thing that it does not tell of a client. */
function undecidable(
  clients: readonly { traffic: Traffic; judged: readonly JudgedSituation[] }[],
  bodies: RecordedClients['bodies'],
): JudgedSituation[] {
  const told = (lacking: Knowledge): string => {
    if (lacking !== 'requests' && lacking !== 'answers') return KNOWLEDGE[lacking]
    const { all, unknown } = bodies[lacking]
    return unknown === 0 ? KNOWLEDGE[lacking] : `the bodies of ${unknown} of ${count(all, BODIES[lacking])}`
  }
  const missing = new Map<Knowledge, Set<string>>()
  // What is not known is told in the record, also where other bodies show every clause.
  for (const side of ['requests', 'answers'] as const)
    if (bodies[side].unknown > 0) missing.set(side, new Set())
  for (const { traffic, judged } of clients) {
    const exercised = new Set(judged.flatMap(({ report }) => report.exercised))
    for (const [lacking, clauses] of unjudged(traffic, exercised))
      missing.set(lacking, new Set([...(missing.get(lacking) ?? []), ...clauses]))
  }
  return [...missing].map(([lacking, clauses]) => ({
    check: `audit > without ${lacking}`,
    situation: undefined,
    milliseconds: 0,
    report: {
      ...NOTHING,
      clauses: [...clauses],
      stopped: {
        verdict: 'not exercised' as const,
        reason: `the recording does not tell ${told(lacking)}`,
      },
    },
  }))
}

const NOTHING = { clauses: [], exercised: [], findings: [], requests: { v1: 0, v2: 0 }, properties: [] }

/** The most findings of one clause that are listed. */
const MOST_FINDINGS = 5

/** Clauses that compare the answer to a search with its request. */
const OF_SEARCHES: ReadonlySet<string> = new Set(v1SearchRules.map(({ clause }) => clause))

/** Matches what is observed of an answer without a header field. */
const MISSING_HEADER = /^no [A-Z][\w-]*$/

/** Returns whether a violation shows a header field whose value the recording does not hold. */
const isNotKept = ({ expected, observed }: { expected: string; observed: string }): boolean =>
  [expected, observed].some(text => text.includes(NOT_KEPT))

/** Judges the answers to a client by what the document promises of every answer. */
function answersTo({ name, own }: RecordedClient) {
  const check = `audit > ${name} > answers`
  const exercised = new Set<string>()
  const findings: CheckReport['findings'] = []
  let isAny = false

  function judge({ exchange: { endpoint, ...rest }, response, hasAnswer }: Placed): void {
    // Without the travelers' data, an answer cannot be compared with its request.
    if (own || response === undefined) return
    isAny = true
    const request = { ...rest.request, headers: [...rest.request.headers] }
    // It is not known to have accepted none.
    if (rest.lacks?.has('codings')) request.headers.push(['accept-encoding', NOT_KEPT])
    const known = { ...rest, request, response, ...(endpoint && { endpoint }) }
    const exchange = withUnknownBodies(known, {
      request: rest.lacks?.has('requests') === true,
      response: !hasAnswer,
    })
    // An answer without Date was recorded with some of its header fields only.
    const hasHeaders = header(response.headers, 'date') !== null
    for (const { clause, violation } of observe(exchange)) {
      if (!hasHeaders && MISSING_HEADER.test(violation?.observed ?? '')) continue
      if (violation !== null && isNotKept(violation)) continue
      // A client may continue with other rooms than it began with; what is answered then is open.
      if (OF_SEARCHES.has(clause) && ofKnown(() => isContinued(exchange)) !== false) continue
      exercised.add(clause)
      if (violation === null) continue
      const told = findings.filter(finding => finding.clause === clause).length
      if (told >= MOST_FINDINGS) continue
      const message = sentenceOf(violation, exchange)
      findings.push({ clause, message, ...violation, source: 'passive', check, exchanges: [exchange.id] })
    }
  }

  function judged(): JudgedSituation[] {
    if (!isAny) return []
    const report = { ...NOTHING, exercised: [...exercised], findings }
    return [{ check, situation: undefined, milliseconds: 0, report }]
  }

  return { judge, judged }
}

/** The clauses about clients, and those about deployments that the recorded answers show. */
function catalogueOf(judged: readonly JudgedSituation[]): Record<string, Clause> {
  const shown = new Set<string>(judged.flatMap(({ report }) => report.exercised))
  return Object.fromEntries(
    Object.entries(CLAUSES).filter(([id, { side }]) => side === 'client' || shown.has(id)),
  )
}

/** Returns the named products, or else those that the recording uses. @throws {Failure} if a name is unknown */
function productsOf(names: readonly string[] | undefined, sent: readonly ClientExchange[]): ProductId[] {
  if (names !== undefined) return namesAmong(productIds, 'product', names)
  return productIds.filter(id => sent.some(({ request }) => PATHS[id].test(request.path)))
}

/** Paths that show which product a client uses. */
const PATHS: Record<ProductId, RegExp> = {
  'v1-hotels': /^\/api\/v1\/hotel\//,
  'v1-transfers': /^\/api\/v1\/transfer\//,
  'v1-park-a': /^\/api\/v1\/parkA\//,
  'v1-park-b': /^\/api\/v1\/parkB\//,
  'v2-transfers': /^\/api\/v2\/transfers\//,
  'v2-tickets': /^\/api\/v2\/tickets\//,
  'v2-hotels': /^\/api\/v2\/hotels\//,
}
