/** Returns the exchanges of a run as a HAR file, as a proxy would have recorded them. */
export function harOf(exchanges: string): string {
  const fieldsOf = (headers: readonly (readonly [string, string])[]) =>
    headers.map(([name, value]) => ({ name, value }))
  const entries = exchanges
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ response }) => response !== undefined)
    .map(({ startedAt, milliseconds, request, response }) => ({
      startedDateTime: startedAt,
      time: milliseconds,
      request: {
        method: request.method,
        url: request.url,
        headers: fieldsOf(request.headers),
        ...(request.body && { postData: { mimeType: 'application/json', text: request.body.text ?? '' } }),
      },
      response: {
        status: response.status,
        headers: fieldsOf(response.headers),
        content: { size: response.body?.bytes ?? 0, text: response.body?.text ?? '' },
      },
    }))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'proxy', version: '1' }, entries } })
}
