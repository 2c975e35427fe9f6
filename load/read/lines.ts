import { createReadStream } from 'node:fs'

const MB = 2 ** 20
const LINE_FEED = 10

/** Answers have at most 8 MB, which are longer as JSON or base64. */
const LONGEST_LINE = 32 * MB

/**
 * Calls back with every line of a file as bytes without the line feed, and its number from 1. The bytes are valid only
 * until the callback returns. Only a line feed ends a line; the rest after the last one is left out, since a k6 that was
 * stopped may have cut it off.
 *
 * @throws Error if the file cannot be read, or has a line that is too long
 */
export async function readLines(path: string, onLine: (line: Buffer, number: number) => void): Promise<void> {
  let lines = 0
  let pending: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length > LONGEST_LINE)
      throw new Error(`Line ${lines + 1} of ${path} is longer than ${LONGEST_LINE / MB} MB.`)
    pending.push(part)
  }
  for await (const chunk of createReadStream(path, { highWaterMark: MB }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, to))
      const line = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
      pending = []
      length = 0
      lines++
      onLine(line, lines)
      from = to + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
}
