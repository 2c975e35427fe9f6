import { commandLine } from '../../fixtures/output/command-line.ts'
import type { Statement } from '../attest/statement.ts'
import type { RunInTime } from '../history/history.ts'
import { html, type Markup } from '../html/markup.ts'
import { percent } from '../render/digest.ts'
import { shorten } from '../render/plain.ts'
import { layout, runLink, type Site } from './parts.ts'

/** An attestation of a run, and the result of verifying it. */
export interface Registered {
  run: RunInTime
  /** Its content; absent if it could not be parsed. */
  statement?: Statement | undefined
  /** The result of `travel-sales verify` with the given key; absent without a key. */
  verified?: { holds: boolean; text: string } | undefined
}

/** Returns the list of attested clients and deployments, newest first, with what each signature proves. */
export const registerPage = (registered: readonly Registered[], site: Site): string =>
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
