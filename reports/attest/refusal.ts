import type { RunRecord } from '../../fixtures/ground/record.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { missingLines, outcomeOf } from '../judge/outcome.ts'
import { whyNotComputed } from './computed.ts'

/** Returns a sentence about the first expired waiver, if any. */
export function expiredOf(waivers: readonly { owner: string; expires: string }[]): string | undefined {
  const today = new Date().toISOString().slice(0, 10)
  // What is no day has no end.
  const expired = waivers.find(({ expires }) => !(Date.parse(expires) >= Date.parse(today)))
  return expired && `a waiver of ${expired.owner} ended on ${expired.expires}`
}

/**
 * Returns why a run cannot be attested, in a sentence, or `undefined`. It must be a whole run that conforms and
 * reached its profile.
 */
export function whyNotAttested(record: RunRecord): string | undefined {
  const { load, subject, halted, only, profile, verdict, errors } = record
  if (load !== undefined) return 'it is a load run, which does not attest the document as a whole'
  if (subject === 'recording') return 'it judged recorded traffic, which anybody can write'
  if (subject === 'client')
    return 'it judged a client, and runs on deployments alone are signed: hand over its record.json and report.html'
  if (halted !== undefined) return `it was not completed: ${halted}`
  if (errors.length > 0) return `the kit itself failed in it (${errors[0]})`
  if (only !== undefined) return `only ${only} was judged: certify without --only and --failed`
  const missing = missingLines(record)
  if (missing.length > 0) return `it is incomplete: ${missing[0]}`
  if (verdict !== 'conforms') return `its verdict is ${verdict}: only what conforms is attested`
  const { passes, reasons } = outcomeOf(record)
  // Only what ended with 0 is signed, by its clauses and by what it says itself.
  if (!passes || record.gate?.passes === false)
    return `it does not pass: ${reasons[0]?.text.replace(/\.$/, '') ?? 'its gate is red'}`
  const expired = expiredOf(
    record.clauses.flatMap(({ findings }) => findings.flatMap(({ waived }) => waived ?? [])),
  )
  if (expired !== undefined) return expired
  if (profile === undefined) return 'it was judged by no profile: certify again'
  if (!record.clauses.some(({ verdict }) => verdict === 'conforms')) return 'it holds no clause that conforms'
  // The clauses of another version are not known here.
  return record.kit.version === kit.version
    ? whyNotComputed(record)
    : `version ${record.kit.version} of the kit made it, and this is ${kit.version}: use that version, or run again`
}
