import type { FastifyReply } from 'fastify'
import { textToShow } from '../../../fixtures/output/files.ts'
import { incomplete } from '../../../fixtures/run/failure.ts'
import type { Markup } from '../../../reports/html/markup.ts'
import { HEADERS } from './guard.ts'

/** What changes on a page while somebody looks, by the id of the element that it stands in. */
export interface Parts {
  parts: Readonly<Record<string, Markup>>
  /** Nothing changes any more. */
  over: boolean
}

const MOST_STREAMS = 16
/** Milliseconds between two looks. */
const BETWEEN = 400
/** Looks of one connection (two hours), after which the browser asks again. */
const MOST_LOOKS = 18_000
/** Bytes that may wait for a reader who does not read. */
const MOST_WAITING = 4 * 2 ** 20

/** Tells pages what has changed, as server-sent events. */
export interface Streams {
  /** Sends the parts of a page that differ from those sent before, until they are over or the reader is gone. */
  open(reply: FastifyReply, look: () => Parts): void
  close(): void
}

/** Makes the streams of a server. */
export function createStreams(): Streams {
  const open = new Set<() => void>()
  return {
    close: () => open.forEach(end => void end()),
    open(reply, look) {
      if (open.size >= MOST_STREAMS)
        throw incomplete(`${MOST_STREAMS} pages are being kept up to date: close some of them.`)
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
