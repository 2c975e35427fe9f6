import { seedFor } from '../../../fixtures/check/draw/draw.ts'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { launch } from '../../../fixtures/deployments/embedded.ts'
import { listenForShown } from '../../../fixtures/deviants/derived/pairs.ts'
import type { Deviant } from '../../../fixtures/deviants/deviant.ts'
import {
  allowed,
  benign,
  deviants,
  derived as everyDerived,
  loadDeviants,
  written,
} from '../../../fixtures/deviants/index.ts'
import { passiveClauses } from '../../../fixtures/model/clauses.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { say } from '../../../fixtures/output/console.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'
import { type Selection, select } from '../../../fixtures/run/selection.ts'
import { type BenignRow, type HarmlessVariant, type Known, matrixOf } from '../../../reports/judge/matrix.ts'
import { runWatched } from '../deployments/watched-run.ts'

/** The deviants to try, and the checks to run. */
export interface Choice {
  chosen: readonly Deviant[]
  harmless: readonly HarmlessVariant[]
  selection?: Selection
  /** Whether exchanges are written, which is so only for few deviants. */
  recorded: boolean
  /** Whether deviants are narrowed to conditions: only those whose condition came up are judged. */
  narrowed?: true
  /** Variants on which something went wrong while conditions were looked for. */
  troubled?: readonly BenignRow[]
}

/** From at most this many deviants, at most so many pairs with a condition are drawn. */
const MOST_NARROWED = 700
const MOST_PAIRS = 1700

/**
 * Draws deviants, finds in the answers of their checks the conditions that would narrow each, and draws from these pairs. A
 * condition that is always or never true makes no new deviant.
 */
async function drawPairs(
  wanted: readonly Deviant[],
  { seed, out }: { seed: number; out: string },
): Promise<{ pairs: readonly Deviant[]; troubled: readonly BenignRow[] }> {
  const { pairs } = await import('../../../fixtures/deviants/narrowed.ts')
  const { PROBE, told } = await import('../../../fixtures/deviants/derived/pairs.ts')
  const ids = new Set(wanted.map(({ id }) => id))
  const known = pairs.filter(({ of }) => ids.has(of))
  const rank = (id: string) => seedFor(seed, id)
  const narrowed = new Set(
    [...new Set(known.map(({ of }) => of))]
      .toSorted((one, other) => rank(one) - rank(other))
      .slice(0, MOST_NARROWED),
  )
  const candidates = wanted.filter(({ id }) => narrowed.has(id))
  const shown = listenForShown()
  const { selection } = limitedTo(candidates)
  const probes = candidates.map(deviant => ({ ...deviant, id: `${deviant.id}--${PROBE}` }))
  const { collected } = await runWatched({
    deployment: 'embedded',
    seed,
    out,
    prove: { variants: probes.map(asVariant), recorded: false },
    launch: () => launch({ deviants: 'narrowed', mostCredentials: Number.POSITIVE_INFINITY }),
    only: selection,
  })
  shown.close()
  const chosen = known
    .filter(({ of, condition }) => {
      const { shows, keepsBack } = told(of, condition)
      return narrowed.has(of) && shown.ids.has(shows) && shown.ids.has(keepsBack)
    })
    .toSorted((one, other) => rank(one.id) - rank(other.id))
    .slice(0, MOST_PAIRS)
  say(
    `Of ${candidates.length} deviants, ${chosen.length} pairs with a condition show in the checks of their clauses.`,
  )
  // Probes change nothing. If a check failed on one, conditions are unknown and its pairs would be missing unnoticed.
  const looked = probes.map(({ id }) => ({ id, allows: 'a probe changes nothing' }))
  const { benign: rows } = matrixOf(collected, knownOf([], looked))
  return {
    pairs: chosen,
    troubled: rows.filter(({ findings, errors }) => findings.length + errors.length > 0),
  }
}

/** Returns the description of a deviant for the checks that can catch it. */
export const asVariant = ({ id, breaks, kinds, shownBy, anyClause }: Deviant) => ({
  id,
  clauses: breaks,
  ...(anyClause && { anyFinding: anyClause }),
  ...(kinds && { kinds }),
  ...(shownBy && { shownBy }),
})

/** Returns the description of a harmless variant for checks: all checks, or those that a seed draws. */
export function asHarmless({ id }: HarmlessVariant, all: boolean) {
  const { kinds, version, area } = benign.find(one => one.id === id) ?? {}
  return {
    id,
    clauses: 'all' as const,
    ...(kinds !== undefined && { kinds }),
    ...(version !== undefined && { version }),
    ...(all ? {} : { drawn: true as const, ...(area !== undefined && { area }) }),
  }
}

/** One in this many derived deviants is tried, in addition to all written ones. */
const DERIVED_ONE_IN = 16

/** Of a sample, one in this many written and one in this many derived deviants is tried. */
const SAMPLE_OF_WRITTEN = 4
const SAMPLE_OF_DERIVED = 80
/** And one in this many harmless ones, with half of all requests. */
const SAMPLE_OF_BENIGN = 64

/** One in this many harmless variants is tried: otherwise most checks of a run would be theirs. */
const BENIGN_ONE_IN = 32

/** Returns the derived deviants that a seed draws, with at least one for each clause that no written deviant breaks. */
function drawn(seed: number): Deviant[] {
  const ranked = everyDerived.map(deviant => ({ deviant, rank: seedFor(seed, deviant.id) }))
  const chosen = ranked.filter(({ rank }) => rank % DERIVED_ONE_IN === 0).map(({ deviant }) => deviant)
  const broken = new Set([...written, ...chosen].flatMap(({ breaks }) => breaks))
  for (const { deviant } of ranked.toSorted((one, other) => one.rank - other.rank)) {
    if (broken.has(deviant.breaks[0])) continue
    chosen.push(deviant)
    for (const clause of deviant.breaks) broken.add(clause)
  }
  return chosen
}

/** Returns one in so many variants, drawn by a seed. */
export const someOf = <T extends { id: string }>(all: readonly T[], oneIn: number, seed: number): T[] =>
  all
    .toSorted((one, other) => seedFor(seed, one.id) - seedFor(seed, other.id))
    .slice(0, Math.ceil(all.length / oneIn))

/** Returns every deviant, drawn ones that are narrowed to conditions, and every harmless variant. */
export async function chooseWhole(
  only: string | undefined,
  drawing: { seed: number; out: string },
): Promise<Choice> {
  const wanted = wantedOf(only)
  const { pairs, troubled } = await drawPairs(wanted, drawing)
  const chosen = [...wanted, ...pairs]
  return {
    ...(only === undefined ? { chosen } : limitedTo(chosen)),
    harmless: benign,
    recorded: false,
    narrowed: true,
    troubled,
  }
}

/** Returns what is selected by clauses, areas and deviants. */
export const selectionOf = (only: string): Selection =>
  select(only, CLAUSES, Object.fromEntries(deviants.map(({ id, breaks }) => [id, breaks])))

/** Returns the deviants of a selection; `undefined` selects all. */
function wantedOf(only: string | undefined): readonly Deviant[] {
  const known = [...deviants, ...allowed]
  if (only === undefined) return known
  const one = known.find(({ id }) => id === only)
  const wanted = selectionOf(only)
  return one === undefined ? known.filter(({ breaks }) => wanted.matches(breaks)) : [one]
}

const named = Object.fromEntries(benign.map(({ id, area = 'http' }) => [id, { area }]))

/** Returns the harmless variants of a selection that names one, or all of them: `benign and v1-park-b`. */
function harmlessOf(only: string): readonly HarmlessVariant[] {
  if (!only.split(/[\s(),!]+/).some(word => word === 'benign' || word in named)) return []
  const { matches } = select(only, named, { benign: Object.keys(named) })
  return benign.filter(({ id }) => matches([id]))
}

/** Returns the requested variants, and the checks that can catch them. */
export function choose(
  only: string | undefined,
  { seed, partner, sample }: { seed: number; partner: boolean; sample: boolean },
): Choice {
  if (only === undefined && sample) {
    const few = [
      ...someOf(written, SAMPLE_OF_WRITTEN, seed),
      ...someOf(everyDerived, SAMPLE_OF_DERIVED, seed),
    ]
    return {
      ...limitedTo([...few, ...allowed]),
      harmless: someOf(benign, SAMPLE_OF_BENIGN, seed),
      recorded: false,
    }
  }
  if (only === undefined && partner) return { chosen: wantedOf(only), harmless: [], recorded: false }
  if (only === undefined)
    return {
      chosen: [...written, ...drawn(seed), ...allowed],
      harmless: someOf(benign, BENIGN_ONE_IN, seed),
      recorded: false,
    }
  const harmless = harmlessOf(only)
  if (harmless.length > 0) return { chosen: [], harmless, recorded: harmless.length === 1 }
  if (loadDeviants.some(({ id }) => id === only)) {
    throw wrongCall(
      `${only} shows where time is made to pass: ${commandLine('load', '--scenario', 'timeouts', '--variant', only, '--set', 'scale=0.02')} finds it.`,
    )
  }
  const limited = limitedTo(wantedOf(only))
  // Of clauses that nothing breaks yet, the checks run all the same.
  return { selection: selectionOf(only), ...limited, harmless: [], recorded: true }
}

/** Limits the checks to those that can catch a deviant, under any of its clauses. */
export function limitedTo(chosen: readonly Deviant[]): Pick<Choice, 'chosen' | 'selection'> {
  const clauses = [...new Set(chosen.flatMap(({ breaks, shownBy = [] }) => [...breaks, ...shownBy]))]
  return clauses.length === 0 ? { chosen } : { chosen, selection: select(clauses.join(' or '), CLAUSES) }
}

/** Returns the known variants for the matrix. */
export const knownOf = (judged: Known['deviants'], harmless: Known['benign']): Known => ({
  deviants: judged,
  benign: harmless,
  catalogue: CLAUSES,
  needed: passiveClauses,
  all: deviants,
})
