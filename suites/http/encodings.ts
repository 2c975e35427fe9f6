import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../fixtures/contracts/index.ts'
import { type Exchange, header } from '../../fixtures/test.ts'

/** Headers of a client that accepts gzip, and of one that accepts no compression. */
export const GZIP = { 'accept-encoding': 'gzip' }
/** Headers that accept gzip among other things, as those of browsers and libraries do. */
export const GZIP_AMONG_OTHERS = { 'accept-encoding': 'identity;q=0.5, gzip;q=1.0' }
export const IDENTITY = { 'accept-encoding': 'identity' }

/** Returns whether an answer is compressed. */
export const isEncoded = ({ response }: Exchange): boolean =>
  !['', 'identity'].includes(header(response.headers, 'content-encoding')?.toLowerCase() ?? '')

/** Returns what an answer says, without what is new in every answer. */
const content = ({ response }: Exchange): unknown => {
  const { json } = response
  if (!isObject(json)) return json
  const { request_id: _, ...rest } = json
  if (!isObject(rest.error)) return rest
  const { request_id: __, ...error } = rest.error as JsonObject
  return { ...rest, error }
}

/** Returns whether two answers say the same, compressed or not. */
export const saysTheSame = (one: Exchange, other: Exchange): boolean =>
  isDeepStrictEqual(content(one), content(other))
