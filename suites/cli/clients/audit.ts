import { basename } from 'node:path'
import { judgeTraffic, unjudged } from '../../../fixtures/examine/judge.ts'
import { type ProductId, productIds } from '../../../fixtures/ground/products.ts'
import { OF_FACTS } from '../../../fixtures/ground/record.ts'
import { steadyNow } from '../../../fixtures/ground/time.ts'
import { say } from '../../../fixtures/output/console.ts'
import { type HarRead, NotReadable } from '../../../fixtures/recording/readers/har.ts'
import { outlineOf, type Recorded, type Recording } from '../../../fixtures/recording/readers/recorded.ts'
import { type RecordedFile, recordedFilesIn } from '../../../fixtures/recording/readers/recorded-file.ts'
import { recordersIn } from '../../../fixtures/recording/readers/recorders.ts'
import {
  clientsOf,
  type RecordedClients,
  recordedCheckOf,
} from '../../../fixtures/recording/readers/recording.ts'
import { factIn, RecordedChecks } from '../../../fixtures/recording/recorded-checks.ts'
import { toldClients } from '../../../fixtures/recording/told-clients.ts'
import {
  checkOf,
  type JudgedSituation,
  KNOWLEDGE,
  type Knowledge,
  type Traffic,
} from '../../../fixtures/recording/traffic.ts'
import { type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../../fixtures/run/run-folder.ts'
import { CREDENTIAL, known } from '../../../fixtures/secrets/known.ts'
import { SPELLED_OUT } from '../../../fixtures/secrets/search.ts'
import { publish } from '../../../reports/folder/write.ts'
import { count } from '../../../reports/render/plain.ts'
import { namesAmong } from '../arguments.ts'
import { cutIn, examinationRecord, foreign } from './examination-record.ts'
import { exitCodeOf } from './fail-on.ts'
import type { FailOn, Side } from './sides.ts'
import { beginOf, type ReadableRecording, type SeenTraffic, storeAll } from './stored-traffic.ts'
import { trafficRecord } from './traffic-record.ts'

interface AuditOptions {
  products?: readonly string[]
  side?: Side
  failOn?: FailOn
  /** Whether all requests are of one company. */
  oneCompany?: boolean
  /** Whether it holds all that the companies in it sent. */
  whole?: boolean
  out?: string
  json?: boolean
}

/** Judges recorded traffic, and writes record and reports. Sends nothing. */
export async function audit(inputs: readonly string[], options: AuditOptions): Promise<ExitCode> {
  const { products: named, failOn, oneCompany = false, out = DEFAULT_OUT, json } = options
  const files = (await readable(() => Promise.all(inputs.map(recordedFilesIn)))).flat()
  const facts = new RecordedChecks(foreign.text)
  const { recordings, unseen, odd } = await outlined(files, facts)
  const recorded = clientsOf(recordings)
  if (recorded === undefined)
    throw wrongCall('No request in it goes to a path that begins with /api/v1/ or /api/v2/.')
  const [first, ...others] = recordings
  if (options.whole && others.length > 0)
    throw wrongCall(
      '--whole takes one recording: what came first in several, the clocks of their recorders do not tell.',
    )
  const whole = options.whole ?? (others.length === 0 && first?.passed?.isWhole === true)
  const { clients, base, leftOut, doubled, preflights, anonymous, ofSeveralClocks, bodies, requests } =
    recorded
  const side = sideOf(recordings, options.side)
  for (const [at, { secret }] of clients.entries())
    if (secret !== null) known.learn(secret, CREDENTIAL, at < SPELLED_OUT ? 'credential' : 'one of many')
  if (leftOut > 0)
    say(
      `${count(leftOut, 'other request')} left out: only calls of the API at ${base}, and links of orders, are kept and judged.`,
    )
  if (preflights > 0)
    say(`${count(preflights, 'preflight')} of browsers (OPTIONS) left out: no client sent them.`)
  if (doubled > 0)
    say(`${count(doubled, 'exchange')} recorded twice, by copying or by two recorders: each counts once.`)
  if (anonymous > 0 && !oneCompany && side !== 'client')
    say(
      `The credential of ${anonymous} of ${count(requests.all, 'request')} is not in the recording: browsers leave it out of a HAR file. Whose they are is not known, so their answers are not compared with earlier ones (keys, bookings, offers). Export it with sensitive data, or give --one-company if all requests are of one company.`,
    )
  for (const file of ofSeveralClocks)
    say(
      `The times in ${basename(file)} are of several clocks: requests name orders that are told only later. Its answers are not compared with earlier ones: give the recording of each recorder as a file of its own.`,
    )
  for (const sentence of unknownBodies(bodies)) say(sentence)
  unseen.push(...unknownBodies(bodies, FEW))
  if (requests.unknown > requests.all * FEW)
    unseen.push(
      `The answers to ${requests.unknown} of ${count(requests.all, 'request')} are not in the recording.`,
    )
  const gaps = recorded.unplaced + odd
  if (whole && gaps > 0)
    say(
      `Of ${count(gaps, 'request')} it is not known when, by whom or how they were sent: the recording is judged as a part of the traffic.`,
    )
  const startedAt = new Date(steadyNow())
  const folder = makeRunFolder(out, 'audit', 'audit', startedAt)
  const seen = await readable(() =>
    storeAll(recordings, recorded, { dir: folder.path, side, oneCompany, whole: whole && gaps === 0, facts }),
  )
  folder.release()
  const checks = side === 'client' ? [] : facts.reports()
  const examined = side === 'server' ? [] : clients.filter(({ told }) => told !== undefined)
  const trusted = [
    ...(checks.length === 0
      ? []
      : [
          `${count(checks.length, 'check')} judged by what the recording says that they knew, arranged and claimed: whoever wrote it vouches for that. ${count(seen.unjudged.ofRun, 'exchange')} of no check judged by nobody, as when they were sent.`,
        ]),
    ...(examined.length === 0
      ? []
      : [
          `${count(examined.length, 'client')} judged by what the recording says of their situations, and of values that it does not hold: whoever wrote it vouches for that.`,
        ]),
  ]
  if (side !== 'client' && recordings.some(({ passed }) => passed !== undefined))
    trusted.push(
      'What was found out by values that the recording does not hold, such as names, is what it says of them: whoever wrote it vouches for that.',
    )
  const { ofOthers } = seen.unjudged
  if (ofOthers > 0)
    unseen.push(
      `${count(ofOthers, 'exchange')} judged by nobody: the recording says what checks knew when they sent others, and not these. Give recordings of other runs as files of their own.`,
    )
  for (const sentence of trusted) say(sentence)
  const idOf = numbered(checkOf)
  const traffics = (side === 'server' ? [] : clients).map(client => {
    const traffic = client.traffic()
    const { name, told } = client
    return { traffic, judged: judgeTraffic(name, traffic, told ? idOf : recordedCheckOf, told?.products) }
  })
  const vouched = trusted.map(text => ({
    check: OF_FACTS,
    ...UNTIMED,
    report: { ...NOTHING, facts: [text] },
  }))
  const about = { run: folder.run, startedAt, finishedAt: new Date(steadyNow()), baseUrl: 'recorded' }
  const record =
    side === 'client' && clients.every(({ told }) => told !== undefined)
      ? examinationOf(clients, named, [...traffics.flatMap(({ judged }) => judged), ...vouched], about)
      : trafficRecord({
          ...about,
          side,
          name: files.map(({ path }) => basename(path)).join(', '),
          products: productsOf(named, seen.products),
          judged: [
            ...traffics.flatMap(({ judged }) => judged),
            ...seen.judged(),
            ...checks.map(one => ({ ...one, ...UNTIMED })),
            ...vouched,
            ...undecidable(traffics, bodies, seen.lacking),
          ],
          requests: seen.requests,
          unseen,
        })
  await publish(record, folder.path, { json })
  return exitCodeOf(record, failOn)
}

/** Returns a name for each situation of a client, also where several credentials of it were in it. */
function numbered(idOf: typeof checkOf): typeof checkOf {
  const times = new Map<string, number>()
  return (...of) => {
    const id = idOf(...of)
    times.set(id, (times.get(id) ?? 0) + 1)
    return times.get(id) === 1 ? id : `${id} (${times.get(id)})`
  }
}

/** Makes the record of clients that were examined, as the examination did. */
function examinationOf(
  clients: RecordedClients['clients'],
  named: AuditOptions['products'],
  judged: readonly JudgedSituation[],
  about: Pick<Parameters<typeof examinationRecord>[0], 'run' | 'startedAt' | 'finishedAt' | 'baseUrl'>,
) {
  const told = clients.flatMap(one => one.told ?? [])
  const halted = told.find(one => one.halted !== undefined)?.halted
  return examinationRecord({
    ...about,
    products: productsOf(
      named,
      productIds.filter(id => told.some(({ products }) => products.includes(id))),
    ),
    judged,
    whole: told.some(({ whole }) => whole),
    ...(halted === undefined ? { cut: cutIn(told.flatMap(({ situations }) => situations)) } : { halted }),
  })
}

const isOfExamination = ({ situation }: Recorded): boolean => situation !== undefined

/** Reads what each recording holds, without bodies, in the order of time: all bodies would not fit in memory. */
async function outlined(
  files: readonly RecordedFile[],
  facts: RecordedChecks,
): Promise<{ recordings: ReadableRecording[]; unseen: string[]; odd: number }> {
  const recordings: ReadableRecording[] = []
  const unseen: string[] = []
  let odd = 0
  for (const file of files) {
    const outlines: Recorded[] = []
    let hasFacts = false
    let passed: ReadableRecording['passed']
    const { take, told } = toldClients()
    const read = await readable(() =>
      file.read(
        recorded => outlines.push(outlineOf(recorded)),
        undefined,
        fact => {
          take(fact)
          const line = factIn(fact)
          if (line?.fact === 'traffic') passed = line
          if (facts.expect(fact)) hasFacts = true
        },
      ),
    )
    sayLeftOut(file.path, read)
    odd += read.odd
    if (read.odd > read.entries * FEW)
      unseen.push(`${read.odd} of ${read.entries} entries of ${basename(file.path)} could not be read.`)
    const whole = read.whole ?? (read.own && outlines.some(isOfExamination) ? 'client' : undefined)
    // Workers of the kit write into one file.
    const recorders = whole === undefined ? recordersIn(outlines) : []
    const recorderOf = (at: number) => recorders[at] ?? 0
    for (const recorder of new Set([0, ...recorders]))
      recordings.push({
        file: file.path,
        outlines: outlines.filter((_, at) => recorderOf(at) === recorder),
        own: read.own,
        read(take, between, tell) {
          let at = 0
          return file.read(
            one => {
              if (recorderOf(at++) === recorder) take(one)
            },
            between,
            tell,
          )
        },
        whole,
        ...(told.size > 0 && { told }),
        ...(passed && { passed }),
        hasFacts,
      })
  }
  return { recordings: recordings.toSorted((one, other) => beginOf(one) - beginOf(other)), unseen, odd }
}

/** Returns whose promises are judged. @throws {Failure} if the recordings are of the kit itself in that part */
function sideOf(recordings: readonly Recording[], side: Side = 'both'): Side {
  const [first] = recordings.map(({ whole }) => whole)
  if (first === undefined || recordings.some(({ whole }) => whole !== first)) return side
  const own = { checks: 'client', client: 'server' } as const
  if (side !== own[first]) return own[first] === 'client' ? 'server' : 'client'
  throw wrongCall(OF_THE_KIT[first])
}

const OF_THE_KIT = {
  checks:
    'The recordings are of checks of the kit, which send wrong requests on purpose, or of its load: give --side server, or the recording of a client.',
  client:
    'The recordings are of examinations, in which the kit answers wrongly on purpose: give --side client, or the recording of a deployment.',
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
function sayLeftOut(path: string, { entries, odd, others = 0, why }: HarRead): void {
  if (others > 0) say(`${count(others, 'line')} of other tools in ${path} left out.`)
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

/** Returns checks with the clauses that a recording cannot show, one for each thing that it does not tell of a client. */
function undecidable(
  clients: readonly { traffic: Traffic; judged: readonly JudgedSituation[] }[],
  bodies: RecordedClients['bodies'],
  ofAnswers: SeenTraffic['lacking'],
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
  for (const [lacking, clauses] of ofAnswers)
    missing.set(lacking, new Set([...(missing.get(lacking) ?? []), ...clauses]))
  return [...missing].map(([lacking, clauses]) => ({
    check: `audit > without ${lacking}`,
    ...UNTIMED,
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

const UNTIMED = { situation: undefined, milliseconds: 0 }
const NOTHING = { clauses: [], exercised: [], findings: [], requests: { v1: 0, v2: 0 }, properties: [] }

/** Returns the named products, or else those that the recording uses. @throws {Failure} if a name is unknown */
const productsOf = (
  names: readonly string[] | undefined,
  used: readonly ProductId[],
): readonly ProductId[] => (names === undefined ? used : namesAmong(productIds, 'product', names))
