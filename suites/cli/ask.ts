import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { watched } from '../../fixtures/output/console.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'

/** Asks somebody at a terminal. */
export interface Questions {
  ask(question: string): Promise<string>
  /** Asks for a credential: what is typed is not shown. */
  askHidden(question: string): Promise<string>
  close(): void
}

/** Opens a conversation on stdin and stderr. @throws {Failure} 130 where it is ended with Ctrl-C or Ctrl-D */
export function questions(): Questions {
  let hidden = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!hidden) watched.write(chunk.toString())
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Failure(EXIT.interrupted, 'Nothing was written.')))
  })
  // It also closes when all was asked.
  ended.catch(() => {})
  lines.on('SIGINT', () => lines.close())
  return {
    ask: async question => (await Promise.race([lines.question(`${question} `), ended])).trim(),
    async askHidden(question) {
      watched.write(`${question} `)
      hidden = true
      try {
        return (await Promise.race([lines.question(''), ended])).trim()
      } finally {
        hidden = false
        watched.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
