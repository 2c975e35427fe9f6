import { LEFT_OUT } from '../../fixtures/check/session/run-context.ts'
import { type Clause, whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { endedFirst } from '../../fixtures/client/pace/index.ts'
import {
  type CheckRecord,
  type ClauseRecord,
  type Finding,
  isExercised,
  type RunRecord,
  type RunVerdict,
  SCHEMA_VERSION,
  type Verdict,
  verdictSchema,
} from '../../fixtures/ground/record.ts'
import { addOwnTexts } from '../../fixtures/secrets/own-words.ts'
import { severityByTable } from '../findings/roots.ts'
import { gated, gateOf } from '../gate/gate.ts'
import { hasUnwaived, waive } from '../gate/waivers.ts'
import { shorten } from '../render/plain.ts'
import { REASONS, whyNotOffered } from './areas.ts'
import {
  type Judgement,
  judgeCheck,
  notSeenAgain,
  type Opinion,
  soldIn,
  summed,
  withDebts,
} from './judge-check.ts'
import { operationsOf, silenceOf } from './operations.ts'
import {
  countsOf,
  coverageOf,
  kindsOf,
  lackingOf,
  measureProfile,
  notLookedAt,
  statesOf,
  undecidedOf,
  whyIncomplete,
} from './profile.ts'
import type { Offering, RunInput } from './run-input.ts'

/** The maximum length of a finding, reason or error in a record, in characters. */
const LONGEST = 10_000

/** Makes the record of a run. A pure function. */
export function assemble(said: RunInput): RunRecord {
  const { checks: settled, debts } = withDebts(said.collected.checks, said.again?.found)
  const input = { ...said, collected: { ...said.collected, checks: settled } }
  const { catalogue, only, halted } = input
  const judgements = judgementsOf(input)
  const kindByCheck = new Map(judgements.map(({ check }) => [check.id, check.kind ?? check.report?.kind]))
  const waived = waive(recordClauses(input, judgements), input.waivers ?? [], id => kindByCheck.get(id))
  const { clauses } = waived
  const errors = faults(input, judgements)
  const checks = judgements.map(recordCheck)
  const measured = measureProfile(input, clauses)
  const incomplete = unlessEmpty(missingIn(input, { clauses, judgements, measured }))
  const ofDeployment = isOfDeployment(input)
  const lacking = ofDeployment ? lackingOf(input.deployment, catalogue) : undefined

  return gated({
    schemaVersion: SCHEMA_VERSION,
    kit: input.kit,
    run: input.context.run,
    subject: input.subject,
    deployment: {
      name: input.deployment.name,
      baseUrl: withoutUserinfo(input.deployment.baseUrl),
      ...input.tested,
      ...(input.subject === 'client' && { products: [...input.deployment.products] }),
    },
    seed: input.context.seed,
    only,
    startedAt: input.startedAt,
    finishedAt: input.finishedAt,
    halted,
    incomplete,
    lacking,
    ...derivedFrom({ ...input, clauses, checks, errors, incomplete, measured }, catalogue),
    debts: unlessEmpty(debts),
    gate: input.waivers && gateOf(waived, input.waivers),
    requests: input.requests,
    clauses,
    checks,
    leftOut: input.collected.checks.filter(({ note }) => note === LEFT_OUT).length || undefined,
    operations: input.load === undefined ? operationsOf(judgements) : undefined,
    states: ofDeployment ? unlessEmpty(statesOf(clauses, checks)) : undefined,
    errors,
    leftovers: input.leftovers,
    load: input.load,
  })
}

const isOfDeployment = ({ subject, load }: Pick<RunRecord, 'subject' | 'load'>): boolean =>
  subject === undefined && load === undefined

/**
 * Returns the fields of a record that follow from its other fields, so that a reader can compute them again.
 *
 * @param judged a record, or its parts
 */
export function derivedFrom(
  judged: Parameters<typeof runVerdict>[0] &
    Pick<RunRecord, 'subject' | 'load'> & { deployment: Offering } & Pick<RunInput, 'selected'> & {
      measured: ReturnType<typeof measureProfile>
    },
  catalogue: RunInput['catalogue'],
): Pick<RunRecord, 'verdict' | 'totals' | 'coverage' | 'notLookedAt' | 'undecided' | 'profile'> {
  const { clauses, measured } = judged
  const ofDeployment = isOfDeployment(judged)
  return {
    verdict: runVerdict(judged),
    totals: totalsOf(clauses),
    coverage: {
      ...countsOf(clauses),
      open: clauses.filter(
        ({ id, verdict }) => catalogue[id]?.planned === true && verdict === 'not exercised',
      ).length,
      ...coverageOf(clauses),
    },
    notLookedAt: ofDeployment ? unlessEmpty(notLookedAt({ ...judged, catalogue }, clauses)) : undefined,
    undecided: ofDeployment ? unlessEmpty(undecidedOf(clauses)) : undefined,
    profile: measured?.profile,
  }
}

function judgementsOf(input: RunInput): Judgement[] {
  const { catalogue, collected, only, selected, halted, passiveClauses } = input
  const circumstances = {
    isClause: (id: string) => Object.hasOwn(catalogue, id),
    passiveClauses,
    sold: soldIn(collected.checks),
    only,
    halted,
    selected,
  }
  // The ids of checks come from the kit's source, so no part of them is redacted as a credential.
  addOwnTexts(collected.checks.flatMap(({ id, title }) => [id, ...title]))
  return collected.checks
    .map(check => judgeCheck(check, circumstances))
    .filter(judgement => judgement !== undefined)
}

/** Returns what a run should have covered and did not. */
function missingIn(input: RunInput, judged: Parameters<typeof whyIncomplete>[1]): readonly string[] {
  if (input.subject !== undefined) return input.unseen ?? []
  return input.load === undefined ? whyIncomplete(input, judged) : input.load.scenarios.flatMap(silenceOf)
}

const totalsOf = (clauses: readonly ClauseRecord[]): RunRecord['totals'] =>
  Object.fromEntries(
    verdictSchema.options.map(verdict => [verdict, clauses.filter(one => one.verdict === verdict).length]),
  ) as RunRecord['totals']

const unlessEmpty = <T>(rows: readonly T[]): T[] | undefined => (rows.length === 0 ? undefined : [...rows])

/**
 * Returns the verdict of the run. A broken recommendation does not make it red. A halted or incomplete run never
 * conforms, since nobody knows what it would have found.
 */
function runVerdict(
  judged: Pick<RunRecord, 'clauses' | 'checks' | 'errors' | 'halted' | 'incomplete'>,
): RunVerdict {
  const { clauses, checks, errors, halted, incomplete } = judged
  if (errors.length > 0 || clauses.some(({ verdict }) => verdict === 'error')) return 'error'
  if (clauses.some(row => row.level === 'must' && hasUnwaived(row))) return 'violates'
  // A check can be blocked after it decided all of its clauses; what it could not observe is missing nevertheless.
  const applicable = new Set(
    clauses.filter(({ verdict }) => verdict !== 'not applicable').map(({ id }) => id),
  )
  if (checks.some(check => check.verdict === 'blocked' && check.clauses.some(id => applicable.has(id))))
    return 'blocked'
  if (!clauses.some(isExercised)) return 'not exercised'
  return halted === undefined && incomplete === undefined ? 'conforms' : 'incomplete'
}

/** Credentials other than an ordinary one, in the title of a check. */
const OTHER_CREDENTIALS = /resort|for real|\blive\b/

/**
 * Returns how hard it is to show a finding again: by chance, by control, if only the kit can compare, with other credentials,
 * with many requests.
 */
const effortOf = (
  { chance, arranged = [], compare, exchanges, check }: Finding,
  requests: ReadonlyMap<string, number>,
): number =>
  (chance === true ? 1e11 : 0) +
  arranged.length * 1e9 +
  (compare === undefined || compare.of === 'place' ? 1e8 : 0) +
  (OTHER_CREDENTIALS.test(check) ? 1e7 : 0) +
  exchanges.length * 1e5 +
  (requests.get(check) ?? 0)

function recordClauses(input: RunInput, judgements: readonly Judgement[]): ClauseRecord[] {
  const kinds = kindsOf(judgements, input, id => whyUnseen(id, input))
  const opinions = byClause(judgements, one => [...one.opinions])
  const citing = byClause(judgements, ({ cited, check }) => cited.map(clause => [clause, check.id]))
  const requests = new Map(
    judgements.map(({ check: { id, report } }) => [
      id,
      (report?.requests.v1 ?? 0) + (report?.requests.v2 ?? 0),
    ]),
  )
  const looked = byClause(judgements, ({ check }) =>
    Object.entries(check.report?.cells ?? {}).map(([clause, cells]) => [clause, { check: check.id, cells }]),
  )
  const conforms = (id: string) => {
    const row = input.catalogue[id]
    return row !== undefined && conclude(id, row, opinions.get(id) ?? [], input).verdict === 'conforms'
  }
  return Object.entries(input.catalogue).map(([id, clause]) => {
    const { level, side, part, area, says, examined } = clause
    const ruledOut =
      examined?.ruledOutBy !== undefined && !opinions.has(id) && conforms(examined.ruledOutBy)
        ? examined.ruledOutBy
        : undefined
    const { verdict, reason, findings } =
      ruledOut === undefined
        ? conclude(id, clause, opinions.get(id) ?? [], input)
        : { verdict: 'not applicable' as const, reason: REASONS.ruledOut(ruledOut), findings: [] }
    const isLeftOut = input.selected?.has(id) === false
    const perKind = verdict === 'not applicable' || clause.planned === true ? [] : (kinds.get(id) ?? [])
    return {
      id,
      level,
      side,
      part,
      area,
      says,
      verdict,
      reason: isLeftOut && verdict === 'not exercised' ? REASONS.notSelected : shortReason(reason),
      checks: citing.get(id) ?? [],
      findings: findings
        .toSorted((one, other) => effortOf(one, requests) - effortOf(other, requests))
        .map(finding => ({ ...shortenFinding(finding), severity: severityByTable(id) })),
      kinds: unlessEmpty(
        perKind.map(row => {
          const { verdict, reason } = unlessByChance(id, row, input)
          return { kind: row.kind, verdict, reason: shortReason(reason) }
        }),
      ),
      selected: isLeftOut ? false : undefined,
      cells: unlessEmpty(firstSeen(looked.get(id) ?? [])),
    }
  })
}

/** Groups the statements of checks by clause. */
function byClause<Said>(
  judgements: readonly Judgement[],
  saidBy: (judgement: Judgement) => [clause: string, said: Said][],
): Map<string, Said[]> {
  const groups = Map.groupBy(judgements.flatMap(saidBy), ([clause]) => clause)
  return new Map([...groups].map(([clause, pairs]) => [clause, pairs.map(([, said]) => said)]))
}

type Looked = NonNullable<ClauseRecord['cells']>[number]

/** Returns the cells at which a clause was observed, each under the check that observed most cells. */
function firstSeen(looked: readonly Looked[]): Looked[] {
  const seen = new Set<string>()
  return looked
    .toSorted((one, other) => other.cells.length - one.cells.length)
    .flatMap(({ check, cells }) => {
      const added = cells.filter(cell => !seen.has(cell))
      for (const cell of added) seen.add(cell)
      return added.length === 0 ? [] : [{ check, cells: added }]
    })
}

/** Returns the conclusion on one clause: the worst of its checks, or else why there is none. */
function conclude(id: string, clause: Clause, opinions: readonly Opinion[], input: RunInput): Opinion {
  const { verdict, reason, findings } = summed(opinions)
  // A finding counts whatever the catalogue and the definition expected.
  if (verdict !== 'violates' && verdict !== 'error') {
    const notApplicable =
      whyUndecidable(clause) ??
      (clause.side === 'client' && input.subject === undefined ? REASONS.clientSide : undefined) ??
      whyNotOffered(id, clause, input.deployment.products)
    if (notApplicable !== undefined) return { verdict: 'not applicable', reason: notApplicable, findings }
    if (clause.planned) return { verdict: 'not exercised', reason: REASONS.open, findings }
    if (opinions.length === 0) return { verdict: 'not exercised', reason: whyUnseen(id, input), findings }
  }
  if (verdict === 'conforms') return { ...unlessByChance(id, { verdict, reason }, input), findings }
  return { verdict, reason, findings }
}

/** Returns a verdict, unless the fault to be tried again shows only by chance: then its absence proves nothing. */
function unlessByChance(
  id: string,
  { verdict, reason }: { verdict: Verdict; reason?: string | undefined },
  { again }: RunInput,
): { verdict: Verdict; reason: string | undefined } {
  if (verdict === 'conforms' && again?.byChance.has(id) === true)
    return { verdict: 'not exercised', reason: notSeenAgain(again) }
  return { verdict, reason }
}

function whyUnseen(id: string, { halted, only, selected, passiveClauses, load, subject }: RunInput): string {
  if (subject !== undefined) return subject === 'client' ? REASONS.noSituation : REASONS.notRecorded
  if (selected?.has(id) === false) return REASONS.notSelected
  if (halted !== undefined) return endedFirst(halted)
  if (only !== undefined && selected === undefined) return REASONS.notSelected
  const needs = passiveClauses.get(id)
  if (needs !== undefined) return `needs ${needs}`
  return load === undefined ? REASONS.noCheck : REASONS.noScenario
}

const shortReason = (reason: string | undefined): string | undefined => reason && shorten(reason, LONGEST)

/** Returns whether a check went as far as the answers allowed, without lacking anything. */
function isByChance({ report }: Judgement['check']): boolean {
  if (report?.stopped === undefined) return report !== undefined
  const { missing, verdict, lacking } = report.stopped
  return missing === true || (verdict === 'not exercised' && lacking !== true)
}

function recordCheck({ check, cited, verdict, reason }: Judgement): CheckRecord {
  return {
    id: check.id,
    file: check.file,
    clauses: cited,
    verdict,
    reason: shortReason(reason),
    milliseconds: Math.round(check.milliseconds),
    requests: check.report?.requests ?? { v1: 0, v2: 0 },
    properties: check.report?.properties ?? [],
    chance: isByChance(check) && verdict === 'not exercised' ? true : undefined,
    generous: check.report?.generous,
    facts: check.report?.facts,
    transitions: check.report?.transitions,
  }
}

/** Returns the kit's own faults, one sentence each. */
function faults(
  { catalogue, collected, halted, load, subject }: RunInput,
  judgements: readonly Judgement[],
): string[] {
  const found = [
    ...collected.moduleErrors.map(({ file, message }) => `${file}: ${message}`),
    // When a run ends early, abandoned requests fail.
    ...(halted === undefined ? collected.unhandledErrors : []),
    ...judgements
      .filter(({ verdict }) => verdict === 'error')
      .map(({ check, reason }) => `${check.id}: ${reason ?? 'it broke down'}`),
  ]
  const unknown = new Map<string, string>()
  for (const { check, cited, opinions } of judgements) {
    for (const id of [...cited, ...opinions.keys()])
      if (!Object.hasOwn(catalogue, id)) unknown.set(id, check.id)
  }
  for (const [clause, check] of unknown) {
    found.push(
      `${check}: it speaks of ${clause}, which is not in the catalogue: correct the id or add the clause.`,
    )
  }
  // A recording of thousands of clients has tens of thousands of checks.
  for (const [id, all] of Map.groupBy(collected.checks, one => one.id)) {
    if (all.length === 1) continue
    found.push(`${id}: two checks have this name, so their results cannot be distinguished: rename one.`)
  }
  if (halted === undefined) {
    // Some scenarios only measure.
    const measured = load !== undefined && load.scenarios.length > 0
    // A client may have sent nothing.
    if (judgements.length === 0 && !measured && subject === undefined)
      found.push('No check was run, so nothing is known about the deployment.')
    else if (!collected.ended)
      found.push('The test runner did not report the end of the run, so checks may be missing.')
  }
  return found.map(text => shorten(text, LONGEST))
}

function shortenFinding(finding: Finding): Finding {
  const { message, expected, observed } = finding
  return {
    ...finding,
    message: shorten(message, LONGEST),
    expected: expected && shorten(expected, LONGEST),
    observed: observed && shorten(observed, LONGEST),
  }
}

/** Returns an address without user name and password. */
function withoutUserinfo(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = ''
  url.password = ''
  return url.href
}
