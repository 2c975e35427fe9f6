import { join } from 'node:path'
import { storedExchangeSchema } from '../../fixtures/client/redaction/index.ts'
import { linesOf } from '../../fixtures/ground/read-file.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { RUN_FILES } from '../folder/read.ts'
import { CLOCKS_DIFFER } from './impossible.ts'

/**
 * Returns why the exchanges of a run are no evidence for its record, in a sentence, or `undefined`. A deployment is the one
 * at whose address the exchanges took place.
 */
export async function whyNoEvidence(
  dir: string,
  {
    deployment: { baseUrl },
    requests,
    startedAt,
    finishedAt,
  }: Pick<RunRecord, 'deployment' | 'requests' | 'startedAt' | 'finishedAt'>,
): Promise<string | undefined> {
  const [from, to] = [startedAt, finishedAt].map(time => Date.parse(time)) as [number, number]
  let holdsAny = false
  const held = { v1: 0, v2: 0 }
  try {
    for await (const line of linesOf(join(dir, RUN_FILES.exchanges))) {
      const { data } = storedExchangeSchema.safeParse(jsonIn(line))
      if (data === undefined) continue
      const { id, request, version } = data
      const { url, path } = request
      const base = url.endsWith(path) ? url.slice(0, -path.length) : url
      if (normal(base) !== normal(baseUrl))
        return `its address is ${baseUrl}, and exchange ${id} went to ${base}`
      const at = Date.parse(data.startedAt)
      if (!(from - CLOCKS_DIFFER <= at && at <= to + CLOCKS_DIFFER))
        return `it was judged from ${startedAt} to ${finishedAt}, and exchange ${id} was sent at ${data.startedAt}`
      holdsAny = true
      if (version !== null) held[version]++
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `its evidence ${RUN_FILES.exchanges} could not be read (${code})`
  }
  if (!holdsAny) return `its evidence ${RUN_FILES.exchanges} holds no exchange`
  const other = (['v1', 'v2'] as const).find(version => held[version] !== requests[version])
  if (other === undefined) return undefined
  return `its evidence ${RUN_FILES.exchanges} holds ${held[other]} exchanges of ${other}, and the run had ${requests[other]}: keep it whole`
}

/** Returns an address in the form in which equal ones are equal. A user, a query or a fragment may look like another address. */
const normal = (address: string): string =>
  URL.canParse(address) ? new URL(address).href.replace(/\/+$/, '') : address
