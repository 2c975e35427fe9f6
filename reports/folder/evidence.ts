import { toCurl } from '../../fixtures/client/curl.ts'
import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/record.ts'
import type { Evidence } from '../html/findings.ts'
import { deviantsByClause } from '../render/deviants-by-clause.ts'
import { checksWithFindings, citedExchanges } from '../render/digest.ts'
import { poolOf, replayScript } from '../scripts/replay-script.ts'
import type { StoredRun } from './read.ts'

/** Returns the evidence for the findings of a run: the cited exchanges, and scripts that repeat them. */
export async function evidenceOf(
  record: RunRecord,
  stored: Pick<StoredRun, 'exchanges' | 'traffic'>,
): Promise<Evidence> {
  const exchanges = await stored.exchanges(citedExchanges(record))
  const traffic = await stored.traffic(checksWithFindings(record))
  return {
    exchanges,
    curlOf: toCurl,
    deviants: await deviantsByClause(),
    scriptOf: (clause: ClauseRecord, finding: Finding) =>
      replayScript(
        { clause: clause.id, says: clause.says, ...finding },
        finding.exchanges,
        poolOf(
          traffic.get(finding.check) ?? [],
          finding.exchanges.flatMap(id => exchanges.get(id) ?? []),
        ),
      ),
  }
}
