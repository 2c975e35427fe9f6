import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { completeDefinition } from '../../fixtures/deployments/define.ts'
import { whyUnreachable } from './reach.ts'

let server: Server | undefined
afterEach(() => server?.close())

async function listening(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const deploymentAt = (baseUrl: string) =>
  completeDefinition(
    { name: 'x', baseUrl, products: ['v2-transfers'], credentials: { standard: { token: 'secret-token' } } },
    'x',
  )

test('an API that answers has nothing against it, and sees the credential once', async () => {
  const seen: unknown[] = []
  const baseUrl = await listening((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization])
    response.setHeader('content-type', 'application/json').end('[]')
  })
  expect(await whyUnreachable(deploymentAt(baseUrl))).toBeUndefined()
  expect(seen).toEqual([['GET', '/api/v2/transfers/products', 'Bearer secret-token']])
})

test.each<[string, RequestListener, string]>([
  [
    '401',
    (_, r) => r.writeHead(401, { 'content-type': 'application/json' }).end('{}'),
    'refused the standard credential (401)',
  ],
  [
    'HTML',
    (_, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
    'answered with an HTML page (200)',
  ],
  [
    'HTML in disguise',
    (_, r) => r.writeHead(404, { 'content-type': 'application/json' }).end('<html>'),
    'HTML page (404)',
  ],
  [
    'a redirect',
    (_, r) => r.writeHead(302, { location: 'https://other.example/x?t=1' }).end(),
    'redirect (302) to https://other.example/x:',
  ],
  [
    '403',
    (_, r) => r.writeHead(403, { 'content-type': 'application/json' }).end('{"error":{}}'),
    'refused the standard credential (403)',
  ],
  [
    'a path that nobody knows',
    (_, r) => r.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"no route"}'),
    'is not known there (404',
  ],
  ['a closed connection', (_, r) => r.destroy(), 'closed before an answer'],
])('%s is told in one sentence, without the credential', async (_, listener, wanted) => {
  const told = await whyUnreachable(deploymentAt(await listening(listener)))
  expect(told).toContain(wanted)
  expect(told).not.toContain('secret-token')
  expect(told).not.toContain('\n')
})

test('other errors are for the checks to judge', async () => {
  const baseUrl = await listening((_, response) => response.writeHead(500).end('{"error":{}}'))
  expect(await whyUnreachable(deploymentAt(baseUrl))).toBeUndefined()
})

test('nobody there', async () => {
  const baseUrl = await listening(() => {})
  await new Promise(resolve => server!.close(resolve))
  expect(await whyUnreachable(deploymentAt(baseUrl))).toContain('the connection was refused')
})

test('a name that does not exist', async () => {
  const told = await whyUnreachable(deploymentAt('http://service.invalid'))
  expect(told).toMatch(
    /^http:\/\/service\.invalid could not be reached: (there is no such host|its name could not)/,
  )
})

test('a mint that fails', async () => {
  const deployment = {
    ...deploymentAt('http://127.0.0.1:1'),
    credentials: {},
    control: { mint: () => Promise.reject(new Error('control is off')) },
  }
  expect(await whyUnreachable(deployment)).toContain(
    'No tenant could be minted for http://127.0.0.1:1: control is off',
  )
})

test('every credential is tried, and the role of one that is refused is named', async () => {
  const baseUrl = await listening(({ headers }, response) => {
    const known = headers.authorization === 'Bearer secret-token'
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' }).end('{}')
  })
  const deployment = deploymentAt(baseUrl)
  deployment.credentials.otherCompany = { token: 'expired-token' }
  const told = await whyUnreachable(deployment)
  expect(told).toContain('refused the credential of the role otherCompany (401)')
  expect(told).not.toContain('expired-token')
})

test('what a role may not read is no reason to stop, and a 404 of the API is one of its answers', async () => {
  const refusing = await listening(({ headers }, response) => {
    const standard = headers.authorization === 'Bearer secret-token'
    response.writeHead(standard ? 404 : 403, { 'content-type': 'application/json' })
    response.end('{"request_id":"r1","error":{"code":"NOT_FOUND"}}')
  })
  const deployment = deploymentAt(refusing)
  deployment.credentials.restricted = { token: 'restricted-token' }
  expect(await whyUnreachable(deployment)).toBeUndefined()
})
