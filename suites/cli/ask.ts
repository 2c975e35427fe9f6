import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { watched } from '../../fixtures/output/console.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'

/** Asks the user at a terminal, on stdin and stderr. Ctrl-D and Ctrl-C end with a `Failure` of exit code 130. */
export interface Questions {
  ask(question: string): Promise<string>
  /** Asks for a credential without showing what is typed. */
  askHidden(question: string): Promise<string>
}

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Questions on the terminal of this process. */
export const questions: Questions = {
  ask: question => answerTo(question, false),
  askHidden: question => answerTo(question, true),
}

/** Reads a visible answer by line, as the terminal echoes it, and a hidden one key by key. */
async function answerTo(question: string, hidden: boolean): Promise<string> {
  watched.write(`${question} `)
  const lines = createInterface({
    input: process.stdin,
    terminal: hidden,
    ...(hidden ? { output: nowhere } : {}),
  })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', line => resolve(line.trim()))
      lines.once('SIGINT', () => lines.close())
      lines.once('close', () => reject(new Failure(EXIT.interrupted, 'Nothing was written.')))
    })
  } finally {
    lines.close()
    if (hidden) watched.write('\n')
  }
}
