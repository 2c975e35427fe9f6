import { Agent, type Dispatcher } from 'undici'
import type { ApiVersion } from '../../fixtures/client/exchange.ts'
import type { Deployment, Probe } from '../../fixtures/deployments/definition.ts'
import { CREDENTIAL, known } from '../../fixtures/secrets/known.ts'

/** Reads get that long by the document, from the first byte sent to the last one read. */
const PATIENCE = 30_000

/** A page of HTML shows what it is long before this. */
const ENOUGH = 4096

/**
 * Sends one request with each credential, to say early and in one sentence what would make checks fail for a reason
 * of their own: nobody answers, the answer is no API's, or a credential is refused.
 *
 * @param onSent told of each request as it leaves
 * @param signal gives up
 * @returns what is wrong; `undefined` when checks have a chance
 */
export async function whyUnreachable(
  deployment: Deployment,
  onSent: (version: ApiVersion) => void = () => {},
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { baseUrl, products, shapes, credentials } = deployment
  const version = products.some(product => product.startsWith('v2-')) ? 'v2' : 'v1'
  const probe = shapes.probes[version]
  const tokens = Object.entries(credentials).map(([role, { token }]) => [role, token] as const)
  if (credentials.standard === undefined) {
    try {
      const minted = await inTime(deployment.control.mint?.({}) ?? Promise.resolve(undefined))
      const token = minted?.token ?? ''
      known.learn(token, CREDENTIAL)
      tokens.unshift(['standard', token])
    } catch (error) {
      return `No tenant could be minted for ${baseUrl}: ${words(error)}; check that its control can be reached.`
    }
  }
  const call = `${probe.method} ${baseUrl}${probe.path.split('?')[0]}`
  const dispatcher = new Agent({ connectTimeout: PATIENCE, headersTimeout: PATIENCE, bodyTimeout: PATIENCE })
  try {
    for (const [role, token] of tokens.sort(([role]) => (role === 'standard' ? -1 : 0))) {
      onSent(version)
      const answer = await send(dispatcher, baseUrl, probe, token, signal)
      const objected = objection(answer, call, role)
      if (objected !== undefined) return objected
    }
    return undefined
  } catch (error) {
    return `${baseUrl} could not be reached: ${transportWords(error)}.`
  } finally {
    await dispatcher.destroy()
  }
}

interface Answer {
  status: number
  contentType: string
  location: string
  start: string
}

/** @throws Error when something takes longer than a read may */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(PATIENCE)
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      late.addEventListener('abort', () => reject(new Error(`no answer within ${PATIENCE / 1000} s`))),
    ),
  ])
}

async function send(
  dispatcher: Dispatcher,
  baseUrl: string,
  probe: Probe,
  token: string,
  given: AbortSignal | undefined,
): Promise<Answer> {
  // An answer that comes byte by byte never lets undici's own time-outs end it.
  const late = AbortSignal.timeout(PATIENCE)
  const url = new URL(baseUrl + probe.path)
  const { statusCode, headers, body } = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: probe.method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(probe.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: probe.body === undefined ? null : JSON.stringify(probe.body),
    signal: given === undefined ? late : AbortSignal.any([late, given]),
  })
  let start = ''
  for await (const chunk of body) {
    start += Buffer.from(chunk).toString('latin1')
    if (start.length >= ENOUGH) break
  }
  return {
    status: statusCode,
    contentType: String(headers['content-type'] ?? ''),
    location: String(headers.location ?? ''),
    start: start.slice(0, ENOUGH),
  }
}

function objection(
  { status, contentType, location, start }: Answer,
  call: string,
  role: string,
): string | undefined {
  if (status >= 300 && status < 400) {
    return `${call} answered with a redirect (${status}) to ${shortened(location)}: give the address that answers itself as the base address.`
  }
  // What else a role may be refused is for the checks to see; the standard credential must be served.
  if (status === 401 || (status === 403 && role === 'standard')) {
    const whose = role === 'standard' ? 'the standard credential' : `the credential of the role ${role}`
    return `${call} refused ${whose} (${status}): check that it is complete, still valid and meant for this deployment.`
  }
  if (/^(text\/html|application\/xhtml)/i.test(contentType) || /^\s*<(!doctype|html)/i.test(start)) {
    return `${call} answered with an HTML page (${status}), so this is not the API: check the base address.`
  }
  // Every error of v2 has an object named error: a 404 without one comes from somewhere else.
  if (status === 404 && probeIsOfV2(call) && !/"error"\s*:\s*\{/.test(start)) {
    return `${call} is not known there (404, and no error as the API writes it): check the base address, or name a read that is always answered as shapes.probes of the definition.`
  }
  return undefined
}

const probeIsOfV2 = (call: string): boolean => call.includes('/api/v2/')

const TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused; check the address and that the service runs',
  ENOTFOUND: 'there is no such host; check the address',
  EAI_AGAIN: 'its name could not be resolved; check the network',
  ECONNRESET: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_CONNECT_TIMEOUT: `no connection within ${PATIENCE / 1000} s`,
  UND_ERR_HEADERS_TIMEOUT: `no answer within ${PATIENCE / 1000} s`,
  UND_ERR_BODY_TIMEOUT: `the answer stopped for ${PATIENCE / 1000} s`,
  TIMEOUT: `no whole answer within ${PATIENCE / 1000} s`,
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
}

function transportWords(error: unknown): string {
  const code = codeOf(error)
  if (TLS.test(code)) {
    return `its TLS certificate or handshake was not accepted (${code}); for a private authority set NODE_EXTRA_CA_CERTS to its certificate`
  }
  return WORDS[code] ?? `${words(error)}${code === '' ? '' : ` (${code})`}`
}

/** Node tells of several addresses that all failed in an AggregateError. */
function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'TIMEOUT'
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return String((error as NodeJS.ErrnoException).code ?? '')
}

function words(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
}

function shortened(location: string): string {
  const [address] = location.split(/[?#]/)
  return address === undefined || address === '' ? 'nowhere' : address.slice(0, 200)
}
