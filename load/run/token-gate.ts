import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { heldFor, NoToken } from '../../fixtures/deployments/tokens/index.ts'
import { refusalOf } from '../../fixtures/ground/own-port.ts'
import { isHandle } from '../../fixtures/secrets/token-handle.ts'
import type { ReadySender } from './senders.ts'

/** Where k6 asks for tokens that change while it runs. */
interface TokenGate {
  url: string
  close(): Promise<void>
}

/**
 * Opens a gate on loopback, under an unguessable path, if the tokens of a sender change. `POST /token` with the alias of the
 * sender, and with the token that was refused, if any, answers `token` and `until`, in milliseconds since the epoch.
 *
 * @returns `undefined` if no token changes
 */
export async function openTokenGate(senders: readonly ReadySender[]): Promise<TokenGate | undefined> {
  const handles = new Map(senders.filter(({ token }) => isHandle(token)).map(one => [one.alias, one.token]))
  if (handles.size === 0) return undefined
  const app = Fastify({ forceCloseConnections: true })
  const secret = randomUUID()
  app.addHook('onRequest', async ({ headers }, reply) => {
    const stop = refusalOf(headers)
    return stop === undefined ? undefined : reply.code(403).send({ stop })
  })
  app.post<{ Body: { who: string; refused?: string } }>(`/${secret}/token`, async ({ body }, reply) => {
    const handle = handles.get(body.who)
    if (handle === undefined)
      return reply.code(400).send({ stop: `The tokens of ${body.who} do not change.` })
    try {
      const { text, until } = await heldFor(handle, body.refused)
      // JSON has no infinite numbers.
      return { token: text, until: Math.min(until, Number.MAX_SAFE_INTEGER) }
    } catch (error) {
      if (error instanceof NoToken)
        return reply.code(409).send({ stop: `There is no token: ${error.message}.` })
      throw error
    }
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `${address}/${secret}`, close: () => app.close() }
}
