import { storedExchangeSchema } from '../../fixtures/client/stored.ts'
import { isLoopback } from '../../fixtures/deployments/loopback.ts'
import { linesOf } from '../../fixtures/read-file.ts'
import { jsonIn, repeatsName } from '../../fixtures/read-json.ts'
import type { RunRecord } from '../../fixtures/record.ts'

/**
 * Returns why the exchanges of a run are no evidence for its record, in a sentence, or `undefined`. A deployment is the one
 * at whose address the exchanges took place. A client may name the examiner, which listens on this machine, in its own way.
 *
 * @param name the file as a sentence names it
 */
export async function whyNoEvidence(
  file: string,
  name: string,
  record: Pick<RunRecord, 'subject' | 'deployment'>,
): Promise<string | undefined> {
  const { baseUrl } = record.deployment
  if (record.subject === 'client' && !isLoopback(baseUrl))
    return `its address ${baseUrl} is not one of an examiner`
  let holdsAny = false
  try {
    for await (const line of linesOf(file)) {
      const json = jsonIn(line)
      const { data } = storedExchangeSchema.safeParse(json)
      if (data === undefined) continue
      const { id, request } = data
      if (repeatsName(Buffer.from(line), json))
        return `${name} states a name twice in exchange ${id}, and readers disagree which one counts`
      const { url, path } = request
      const base = url.endsWith(path) ? url.slice(0, -path.length) : url
      if (record.subject !== 'client' && normal(base) !== normal(baseUrl))
        return `its address is ${baseUrl}, and exchange ${id} went to ${base}`
      holdsAny = true
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `${name} could not be read (${code})`
  }
  return holdsAny ? undefined : `${name} holds no exchange`
}

/** Returns an address in the form in which equal ones are equal. */
function normal(address: string): string {
  if (!URL.canParse(address)) return address
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/\/+$/, '')
}
