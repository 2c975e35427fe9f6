import type { StoredBody, StoredExchange } from '../../fixtures/client/redaction/index.ts'

/** A HAR 1.2 document. */
interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: readonly object[] }
}

/**
 * Converts stored exchanges, which contain no secrets, to a HAR 1.2 document. Errors and the situation of an
 * exchange are in custom fields, as HAR allows.
 */
export const toHar = (
  exchanges: readonly StoredExchange[],
  { name, version }: { name: string; version: string },
): Har => ({ log: { version: '1.2', creator: { name, version }, entries: exchanges.map(entryOf) } })

function entryOf({ id, check, startedAt, milliseconds, request, response, error }: StoredExchange): object {
  const { method, url, headers, body } = request
  const situation = /^examine > .* > ([\w-]+)$/.exec(check)?.[1]
  const time = Math.max(milliseconds, 0.001)
  return {
    startedDateTime: startedAt,
    time,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(headers),
      queryString: queryOf(url),
      ...(body === null ? {} : { postData: { mimeType: typeOf(headers), text: textOf(body) } }),
      headersSize: -1,
      bodySize: body?.bytes ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(response?.headers ?? []),
      content: contentOf(response),
      redirectURL: fieldOf(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: response?.rawBytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: `${id}: ${check}`,
    _ending: response === undefined ? (error?.kind === 'hung up' ? 'hung up' : 'lost') : 'answered',
    ...(situation === undefined ? {} : { _situation: situation }),
  }
}

type Fields = StoredExchange['request']['headers']

const fieldsOf = (headers: Fields): object[] => headers.map(([name, value]) => ({ name, value }))

const fieldOf = (headers: Fields, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const typeOf = (headers: Fields): string => fieldOf(headers, 'content-type') ?? ''

const textOf = (body: StoredBody): string => (body.kind === 'text' ? body.text : '')

const queryOf = (url: string): object[] =>
  URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : []

function contentOf(response: StoredExchange['response']): object {
  const body = response?.body ?? null
  const mimeType = typeOf(response?.headers ?? [])
  if (body === null) return { size: 0, mimeType, text: '' }
  if (body.kind === 'text') {
    // A truncated body has its original size and no text.
    return body.cut === undefined
      ? { size: body.bytes, mimeType, text: body.text }
      : { size: body.bytes, mimeType }
  }
  const first = Buffer.from(body.firstBytes, 'hex').toString('base64')
  return { size: body.bytes, mimeType, text: first, encoding: 'base64' }
}
