import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The headers of every answer. */
export const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

const OPEN = '/open'

/** Restricts the pages to whoever has opened the address that the terminal printed. */
export interface Guard {
  /** The path of the printed address, which redirects to the pages. */
  path: string
  /** Refuses requests without its cookie, and those that another page makes a browser send. */
  check(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

const secret = (): string => randomBytes(32).toString('base64url')

const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(
    ...([given, wanted].map(text => createHash('sha256').update(text).digest()) as [Buffer, Buffer]),
  )

const refuse = (reply: FastifyReply, status: number, sentence: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${sentence}\n`)

/** Returns whether one of our pages or a person made the request; old browsers do not say. */
function isOurs({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Without a referrer, a browser sends the origin `null` for our own forms too, and says in another field that they are ours.
 */
const isOwnOrigin = ({ headers }: FastifyRequest): boolean =>
  headers.origin === `http://${headers.host}` ||
  (headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin')

/** Makes the guard of a server. Token and cookie differ, so that an address found later cannot be used as a cookie. */
export function createGuard(app: FastifyInstance): Guard {
  const [token, session] = [secret(), secret()]
  const port = (): number => (app.server.address() as { port: number }).port
  // Browsers share cookies between all ports of a host.
  const cookieName = () => `travel-sales-ui-${port()}`

  function letIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const given = (request.query as Record<string, unknown>).token
    if (typeof given !== 'string' || !isSame(given, token))
      return refuse(
        reply,
        403,
        'This address has no token, or another one: open the address that the terminal printed.',
      )
    reply.header('set-cookie', `${cookieName()}=${session}; HttpOnly; SameSite=Strict; Path=/`)
    // A browser does not send a strict cookie while it follows a link from another page or a file.
    if (isOurs(request)) return reply.redirect('/', 303)
    return reply
      .type('text/html; charset=utf-8')
      .send(
        '<!doctype html><meta http-equiv="refresh" content="0; url=/"><title>Opening</title><a href="/">Go on</a>',
      )
  }

  return {
    path: `${OPEN}?token=${token}`,
    check(request, reply) {
      reply.headers(HEADERS)
      const { headers, method } = request
      // A foreign host name is refused even if it resolves to this machine (DNS rebinding).
      if (headers.host !== `127.0.0.1:${port()}` && headers.host !== `localhost:${port()}`)
        return refuse(
          reply,
          403,
          `These pages answer by 127.0.0.1:${port()} or localhost:${port()} alone: forward that port to the same port (ssh -L ${port()}:127.0.0.1:${port()}), and open the address that the terminal printed.`,
        )
      if (method !== 'GET' && method !== 'POST')
        return refuse(reply, 405, 'Use GET to read pages, and POST for their forms.')
      if (headers.origin !== undefined && !isOwnOrigin(request))
        return refuse(reply, 403, 'Another page asks: that is refused.')
      if (method === 'GET' && request.url.split('?')[0] === OPEN) return letIn(request, reply)
      if (!isOurs(request))
        return refuse(
          reply,
          403,
          'Another page sent this request: open the address that the terminal printed.',
        )
      const cookies = (headers.cookie ?? '').split(';').map(part => part.trim())
      const own = cookies.find(cookie => cookie.startsWith(`${cookieName()}=`))
      if (own === undefined || !isSame(own.slice(cookieName().length + 1), session))
        return refuse(
          reply,
          401,
          'This browser has not opened the address that the terminal printed: do that first.',
        )
      if (method === 'POST' && !(isOwnOrigin(request) && headers['sec-fetch-site'] !== 'none'))
        return refuse(reply, 403, 'Only the forms on these pages can do this: press the button there.')
      return undefined
    },
  }
}
