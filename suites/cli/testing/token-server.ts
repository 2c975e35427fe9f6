import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { listening } from '../../../fixtures/client/testing/until.ts'
import { type AlteredDeployment, type Company, startAltered } from './altered-deployment.ts'
import { blocksOf } from './guides.ts'

/** An OAuth server that gives tokens for client credentials (RFC 6749, 4.4), and a deployment that takes them, and repeats each in every answer. */
export interface WithTokens {
  deployment: AlteredDeployment
  /** The address of the server's token endpoint. */
  tokenUrl: string
  client: { id: string; secret: string }
  company: Company
  /** Every token that was given, with the time of its end. */
  given: Map<string, number>
  /** The largest number of questions at the same time, and the number of requests with a token that was over. */
  most: { atOnce: number; over: number }
  /** Has it repeat the tokens no more that it has given until now. */
  forget(): void
}

/** @param told whether answers state `expires_in` */
export async function startWithTokens(seconds: number, { told = true } = {}): Promise<WithTokens> {
  const client = { id: 'partner-4711', secret: randomBytes(18).toString('base64url') }
  const given = new Map<string, number>()
  const most = { atOnce: 0, over: 0 }
  let asking = 0
  let forgotten = 0
  const { origin } = await listening(async (request, response) => {
    most.atOnce = Math.max(most.atOnce, ++asking)
    const form = new URLSearchParams((await buffer(request)).toString())
    // Two questions at once would meet here.
    await pause(50)
    asking--
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    const isRight =
      request.headers.authorization === `Basic ${basic}` && form.get('grant_type') === 'client_credentials'
    response.writeHead(isRight ? 200 : 401, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    })
    if (!isRight) return void response.end('{"error":"invalid_client"}')
    // Characters that a URL or a shell would change.
    const token = `${randomBytes(24).toString('base64')}+/=`
    given.set(token, Date.now() + seconds * 1000)
    response.end(
      JSON.stringify({ access_token: token, token_type: 'Bearer', ...(told && { expires_in: seconds }) }),
    )
  })
  const deployment = await startAltered(async (request, pass) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const end = given.get(token)
    if (end !== undefined && end > Date.now()) request.headers.authorization = `Bearer ${company.token}`
    else if (end !== undefined) most.over++
    const answer = await pass()
    // Every token but one that was made just now, which not every thread may know yet.
    const all = [...given]
      .slice(forgotten)
      .flatMap(([one, end]) => (end - seconds * 1000 < Date.now() - 200 ? [one] : []))
      .join(' ')
    // A longer answer would have to be compressed.
    const isShort = answer.body.length < 500
    const text = String(answer.body)
    const body = isShort && text.startsWith('{') ? `{"via":"${all}",${text.slice(1)}` : answer.body
    return { ...answer, headers: { ...answer.headers, 'x-via': all }, body }
  })
  const company = await deployment.company(['v2-transfers'])
  return {
    deployment,
    client,
    company,
    given,
    most,
    tokenUrl: `${origin}/oauth/token`,
    forget: () => {
      forgotten = given.size
    },
  }
}

/** Returns the definition of the guide, for these servers. */
export function definitionOfGuide({ deployment, tokenUrl }: WithTokens): string {
  const block = blocksOf('fixtures/README.md', 'ts').find(text => text.includes('client_credentials'))!
  const addresses = {
    'https://login.example.com/oauth/token': tokenUrl,
    'https://staging.example.com': deployment.baseUrl,
  }
  return Object.entries(addresses).reduce((text, [one, other]) => text.replace(one, other), block)
}
