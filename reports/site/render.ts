import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { toCurl } from '../../fixtures/client/curl.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { LARGEST, readFileOf } from '../../fixtures/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/read-json.ts'
import { type Statement, statementSchema } from '../attest/attest.ts'
import { envelopeSchema } from '../attest/envelope.ts'
import { NotVerified, verifiedText, verify } from '../attest/verify.ts'
import { RunNotReadable, type StoredRun } from '../folder/read.ts'
import { evidenceOf } from '../folder/write.ts'
import { findRun, type History, type Judged, newestOf, type RunInTime } from '../history/history.ts'
import { ATTESTATION, openRunOf } from '../history/read-history.ts'
import { html, type Markup } from '../html/markup.ts'
import { deviantsByClause } from '../render/deviants-by-clause.ts'
import { checksWithFindings, percent } from '../render/digest.ts'
import { shorten } from '../render/plain.ts'
import { areaPage } from './area-page.ts'
import { clausePage, type LastSeen } from './clause-page.ts'
import { comparePage } from './compare-page.ts'
import { deploymentPage, overviewPage } from './overview-page.ts'
import { layout, runLink, type Site, siteScript, siteStyle, type Target } from './parts.ts'
import { checkPage, runPage } from './run-page.ts'

/** An attestation of a run, and the result of verifying it. */
interface Registered {
  run: RunInTime
  /** Its content; absent if it could not be parsed. */
  statement?: Statement | undefined
  /** The result of `travel-sales verify` with the given key; absent without a key. */
  verified?: { holds: boolean; text: string } | undefined
}

/** Returns the list of attested clients and deployments, newest first, with what each signature proves. */
const registerPage = (registered: readonly Registered[], site: Site): string =>
  layout({
    title: 'Register of certified deployments and clients',
    site,
    trail: [],
    lead: html`<p class="address">Runs that somebody signed for (${commandLine('attest')}). A signature shows who states the result; only running it again shows that the result is true.</p>`,
    body:
      registered.length === 0
        ? html`<p>No run of this folder is attested.</p>`
        : html`${summary(registered, site)}${registered.map(one => entry(one))}`,
  })

function summary(registered: readonly Registered[], site: Site): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Register"><table class="runs">
<thead><tr><th scope="col">Name</th><th scope="col">What</th><th scope="col">Profile</th><th scope="col">Exercised</th><th scope="col">Run</th><th scope="col">Signature</th></tr></thead>
<tbody>
${registered.map(({ run, statement, verified }) => {
  const details = statement?.predicate.travelSalesConformance
  return html`<tr><td class="wide">${details === undefined ? 'not understood' : shorten(details.name, 100)}</td><td>${details?.subject ?? '–'}</td><td>${details?.profile?.name ?? '–'}</td><td>${details === undefined ? '–' : percent(details.coverage.exercised, details.coverage.applicable)}</td><td>${runLink(site, run)}</td><td>${signatureWord(verified)}</td></tr>
`
})}</tbody>
</table></div>`
}

const signatureWord = (verified: Registered['verified']): Markup =>
  verified === undefined
    ? html`not checked`
    : html`<span class="${verified.holds ? 'mended' : 'broke'}">${verified.holds ? 'verified' : 'not verified'}</span>`

function entry({ run, statement, verified }: Registered): Markup {
  const details = statement?.predicate.travelSalesConformance
  const again = commandLine('verify', `${run.id}/attestation.json`, '--key', '<key>.pub.pem', '--run', run.id)
  return html`<section class="attested"><h2>${details === undefined ? run.id : shorten(details.name, 200)}</h2>
<p class="address">${statement?.subject[0]?.name ?? 'Its attestation is none that this version understands.'}</p>
<pre tabindex="0">${verified?.text ?? `No public key was given, so nothing was verified. With the public key of the stated signer:\n${again}`}</pre></section>
`
}

/** Reads the attestations of a history, newest first, and verifies them if a key is given. */
async function registeredIn(history: History, key: KeyObject | undefined): Promise<Registered[]> {
  const attested = history.judged
    .flatMap(({ runs }) => runs.filter(run => run.attested))
    .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  const found: Registered[] = []
  for (const run of attested) {
    try {
      const { dir } = await openRunOf(history.folder, run.id)
      const text = readFileOf(join(dir, ATTESTATION), LARGEST.small, code => new RunNotReadable(code))
      found.push({ run, statement: claimed(text), verified: key && (await verified(text, key, dir)) })
    } catch (error) {
      if (!(error instanceof RunNotReadable)) throw error
      found.push({ run })
    }
  }
  return found
}

/** Returns the statement of an attestation without verifying it; `undefined` if invalid. */
function claimed(text: string): Statement | undefined {
  const envelope = envelopeSchema.safeParse(jsonIn(text, OF_ANY_LENGTH)).data
  const payload = envelope && Buffer.from(envelope.payload, 'base64')
  return statementSchema.safeParse(jsonIn(payload, OF_ANY_LENGTH)).data
}

async function verified(text: string, key: KeyObject, dir: string): Promise<Registered['verified']> {
  try {
    return { holds: true, text: verifiedText(await verify(text, key, dir)) }
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    return { holds: false, text: `NOT VERIFIED  ${error.message}` }
  }
}

/** What pages need besides the history. */
export interface RenderOptions {
  /** The key that verifies attestations. */
  key?: KeyObject | undefined
  /** The checks of a run whose pages will be rendered, so that its exchanges are read once. */
  checksOf?: (run: string) => readonly string[]
  /** Opens a run. Default: reads it from the folder of the history. */
  open?: (run: string) => Promise<StoredRun>
  /** The maximum number of exchanges on the page of a check, apart from those that its findings cite. */
  mostExchanges?: number
}

/** The number of runs kept open, since the pages of a run are requested one after the other. */
const MOST_OPEN = 4

type Found = { of: Judged; run: RunInTime } & StoredRun

/**
 * Returns a page, the style or the script; `undefined` if the history has no such run, check or clause. A server only has
 * to find the target of a URL.
 *
 * @throws {RunNotReadable} if the record of the run cannot be read
 */
export const render = (
  target: Target,
  history: History,
  site: Site,
  options: RenderOptions = {},
): Promise<string | undefined> => renderer(history, options)(target, site)

/** Returns a function that renders pages of a history and caches the latest runs. */
export function renderer(
  history: History,
  options: RenderOptions = {},
): (target: Target, site: Site) => Promise<string | undefined> {
  const opened = new Map<string, Promise<Found | undefined>>()
  const open = (id: string): Promise<Found | undefined> => {
    const found = opened.get(id) ?? openFound(history, id, options)
    opened.delete(id)
    opened.set(id, found)
    for (const oldest of [...opened.keys()].slice(0, -MOST_OPEN)) opened.delete(oldest)
    return found
  }
  return async (target, site) => {
    switch (target.page) {
      case 'overview':
        return overviewPage(history, site)
      case 'deployment': {
        const one = history.judged.find(({ id }) => id === target.deployment)
        return one && deploymentPage(one, history, site)
      }
      case 'run': {
        const found = await open(target.run)
        return found && runPage({ ...found, evidence: await evidenceOf(found.record, found) }, site)
      }
      case 'check': {
        const found = await open(target.run)
        const check = found?.record.checks.find(({ id }) => id === target.check)
        if (found === undefined || check === undefined) return undefined
        const exchanges = (await found.traffic([check.id])).get(check.id) ?? []
        return checkPage({ ...found, check, exchanges, curlOf: toCurl, most: options.mostExchanges }, site)
      }
      case 'area':
        return renderArea(target.area, history, site, open)
      case 'clause':
        return renderClause(target.clause, history, site, open)
      case 'compare': {
        const [before, after] = [await open(target.before), await open(target.after)]
        return before && after && comparePage(before, after, site)
      }
      case 'register':
        return registerPage(await registeredIn(history, options.key), site)
      case 'style':
        return siteStyle
      case 'script':
        return siteScript
    }
  }
}

async function openFound(
  history: History,
  id: string,
  { checksOf, open = run => openRunOf(history.folder, run) }: RenderOptions,
): Promise<Found | undefined> {
  const known = findRun(history, id)
  if (known === undefined) return undefined
  const stored = await open(id)
  return { ...known, ...stored, ...(checksOf === undefined ? {} : readOnce(stored, checksOf(id))) }
}

/** Returns the exchanges of a run such that its file, of 40 MB for a whole run, is read once for all pages. */
function readOnce(
  { record, ...stored }: StoredRun,
  checks: readonly string[],
): Pick<StoredRun, 'exchanges' | 'traffic'> {
  let sent: ReturnType<StoredRun['traffic']> | undefined
  const traffic = () => {
    sent ??= stored.traffic([...checksWithFindings(record), ...checks])
    return sent
  }
  return {
    traffic,
    async exchanges(ids) {
      const wanted = new Set(ids)
      if (wanted.size === 0) return new Map()
      const own = [...(await traffic()).values()].flat()
      const found = new Map(own.filter(({ id }) => wanted.has(id)).map(one => [one.id, one]))
      const others = await stored.exchanges([...wanted].filter(id => !found.has(id)))
      return new Map([...found, ...others])
    },
  }
}

/** Returns the deployments with a run that selected a clause. */
const judgedFor = ({ judged }: History, clause: string): Judged[] =>
  judged.filter(({ runs }) => runs.some(({ verdicts }) => verdicts.get(clause) !== undefined))

async function renderArea(
  area: string,
  history: History,
  site: Site,
  open: (run: string) => Promise<Found | undefined>,
): Promise<string | undefined> {
  const those = [...history.clauses.values()].filter(facts => facts.area === area)
  if (those.length === 0) return undefined
  const deviants = await deviantsByClause()
  const checks = new Map<string, readonly string[]>()
  for (const run of new Set(history.judged.map(of => newestOf(of).id))) {
    const found = await open(run).catch(absentIfNotReadable)
    for (const row of found?.record.clauses ?? [])
      if (!checks.has(row.id) && row.checks.length > 0) checks.set(row.id, row.checks)
  }
  const listed = those.map(facts => ({
    facts,
    judged: judgedFor(history, facts.id),
    checks: checks.get(facts.id) ?? [],
    deviants: deviants.get(facts.id) ?? [],
  }))
  return areaPage(area, listed, site)
}

/** Returns the newest run with a result for a clause, if any. */
export const lastRunOf = ({ runs }: Judged, clause: string): RunInTime | undefined =>
  runs.find(({ verdicts }) => (verdicts.get(clause) ?? 'not exercised') !== 'not exercised')

async function renderClause(
  id: string,
  history: History,
  site: Site,
  open: (run: string) => Promise<Found | undefined>,
): Promise<string | undefined> {
  const facts = history.clauses.get(id)
  if (facts === undefined) return undefined
  const judged = await Promise.all(
    judgedFor(history, id).map(async of => {
      const run = lastRunOf(of, id)
      const found = run && (await open(run.id).catch(absentIfNotReadable))
      const row = found?.record.clauses.find(one => one.id === id)
      const last: LastSeen | undefined = run && row && { run, row }
      return { of, last }
    }),
  )
  return clausePage({ facts, judged, deviants: await deviantsOf(id) }, site)
}

function absentIfNotReadable(error: unknown): undefined {
  if (!(error instanceof RunNotReadable)) throw error
}

/** Returns the deviants of deployments and of clients that break a clause. */
async function deviantsOf(clause: string): Promise<{ id: string; because: string }[]> {
  const [{ deviants }, { clientDeviants }] = await Promise.all([
    import('../../fixtures/deviants/index.ts'),
    import('../../fixtures/examine/clients/index.ts'),
  ])
  const breaks = (ids: readonly string[]): boolean => ids.includes(clause)
  return [...deviants, ...clientDeviants].filter(one => breaks(one.breaks))
}
