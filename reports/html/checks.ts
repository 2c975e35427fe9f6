import type { CheckRecord, RunRecord } from '../../fixtures/ground/record.ts'
import { html, type Markup } from './markup.ts'

/** A check with its runs for each kind of product. */
interface NumberedCheck {
  /** The file and suites, without the folder that all share. */
  where: string
  title: string
  runs: { kind: string | undefined; check: CheckRecord }[]
}

/** Returns the checks in order of their numbers, from 1: by suite, with the kinds of a check as one. */
function numberedChecks(checks: readonly CheckRecord[]): NumberedCheck[] {
  const runs = checks.map(check => {
    const [, name = check.id, kind] = /^(.*?)(?: \(([^()]*)\))?$/s.exec(check.id)!
    return { name, kind, check }
  })
  const found = [...Map.groupBy(runs, ({ name }) => name)].map(([name, runs]) => {
    const cut = name.lastIndexOf(' > ')
    const where = name.slice(0, Math.max(0, cut)).replace(/^suites\//, '')
    return { where, title: name.slice(cut < 0 ? 0 : cut + 3), runs }
  })
  return [...Map.groupBy(found, ({ where }) => where).values()].flat()
}

/** Returns the number of each check by id. */
export const numbersOf = (checks: readonly CheckRecord[]): Map<string, number> =>
  new Map(numberedChecks(checks).flatMap(({ runs }, at) => runs.map(({ check }) => [check.id, at + 1])))

/** Returns a list of every check of the run. */
export function checksSection({ checks }: RunRecord): Markup | undefined {
  if (checks.length === 0) return undefined
  const numbered = numberedChecks(checks).map((one, at) => ({ ...one, number: at + 1 }))
  const groups = [...Map.groupBy(numbered, ({ where }) => where)]
  return html`<section aria-labelledby="checks">
<h2 id="checks">Checks</h2>
<details class="others"><summary>All ${checks.length.toLocaleString('en')} checks, with the requests that each sent and the time it took</summary>
${groups.map(
  ([where, rows]) => html`<p class="where">${where}</p>
<ol start="${rows[0]!.number}">
${rows.map(({ title, runs, number }) => html`<li id="k${number}">${title} <small>${runs.map(runText).join('; ')}</small></li>\n`)}</ol>
`,
)}</details>
</section>
`
}

function runText({ kind, check }: NumberedCheck['runs'][number]): string {
  const { requests, milliseconds, verdict } = check
  const told = `${requests.v1 + requests.v2}, ${(milliseconds / 1000).toFixed(1)} s${verdict === 'conforms' ? '' : `, ${verdict}`}`
  return kind === undefined ? told : `${kind}: ${told}`
}
