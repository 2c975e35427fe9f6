/** The credential in recordings, which are not redacted: browsers and proxies export them so. */
export const TOKEN = 'partner-secret-4711-abcdef'
/** What stands before the paths of calls. */
export const API = 'https://api.example.com/gate'
/** Returns an entry of a recording: by default, the catalog of transfers is read. */
export const entry = (request: object, response: object, more: object = {}): object => ({
  startedDateTime: '2027-01-05T10:00:00.000Z',
  time: 40,
  request: {
    method: 'GET',
    url: `${API}/api/v2/transfers/products`,
    httpVersion: 'HTTP/2',
    cookies: [],
    headers: [
      { name: ':path', value: '/gate' },
      { name: 'authorization', value: `Bearer ${TOKEN}` },
      { name: 'cookie', value: 'session=cookie-secret-0815' },
    ],
    queryString: [],
    headersSize: -1,
    bodySize: 0,
    ...request,
  },
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/2',
    cookies: [],
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'date', value: 'Tue, 05 Jan 2027 10:00:00 GMT' },
    ],
    content: { size: 15, mimeType: 'application/json', text: '{"products":[]}' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 15,
    ...response,
  },
  cache: {},
  timings: { send: 0, wait: 40, receive: 0 },
  ...more,
})
/** Returns these entries as a HAR file. */
export const harOf = (...entries: object[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'proxy', version: '1' }, entries } })
