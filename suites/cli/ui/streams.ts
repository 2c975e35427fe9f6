import type { FastifyReply } from 'fastify'
import { textToShow } from '../../../fixtures/output/files.ts'
import { incomplete } from '../../../fixtures/run/failure.ts'
import type { Markup } from '../../../reports/html/head.ts'
import { HEADERS } from './guard.ts'

/** The live parts of a page, by the id of their element. */
export interface Parts {
  parts: Readonly<Record<string, Markup>>
  /** Whether nothing will change any more. */
  over: boolean
}

const MOST_STREAMS = 16
/** Milliseconds between two updates. */
const BETWEEN = 400
/** The most updates of one connection (two hours), after which the browser connects again. */
const MOST_LOOKS = 18_000
/** The most bytes that may wait for a slow reader. */
const MOST_WAITING = 4 * 2 ** 20

/** Sends pages what has changed, as server-sent events. */
export interface Streams {
  /** Sends the parts of a page that differ from those sent before, until they are over or the reader is gone. */
  open(reply: FastifyReply, look: () => Parts): void
  close(): void
}

export function createStreams(): Streams {
  const open = new Set<() => void>()
  return {
    close: () => open.forEach(end => void end()),
    open(reply, look) {
      if (open.size >= MOST_STREAMS)
        throw incomplete(`${MOST_STREAMS} pages are open that update themselves: close some of them.`)
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
      const sent = new Map<string, string>()
      let looks = 0
      const send = (event: string, data: unknown) =>
        raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      const end = () => {
        clearInterval(timer)
        open.delete(end)
        raw.end()
      }
      const tell = () => {
        const { parts, over } = look()
        for (const [id, { markup }] of Object.entries(parts)) {
          if (sent.get(id) === markup) continue
          sent.set(id, markup)
          send('part', { id, html: textToShow(markup) })
        }
        if (over) send('over', {})
        if (over || ++looks >= MOST_LOOKS || raw.writableLength > MOST_WAITING) end()
      }
      const timer = setInterval(tell, BETWEEN)
      open.add(end)
      raw.once('close', end)
      tell()
    },
  }
}
