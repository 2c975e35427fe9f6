import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { chunksOf as chunksOfFile } from '../../fixtures/ground/read-file.ts'

/** The error for k6 output that is unreadable or not from a scenario of the kit. Its message is for the user. */
export class UnreadableOutput extends Error {
  override readonly name = 'UnreadableOutput'
}

const MB = 2 ** 20
const CHUNK = MB
const LINE_FEED = 10

/** Answers have at most 8 MB, which are longer as JSON or base64. */
const LONGEST_LINE = 32 * MB

/**
 * The maximum number of bytes to which one packed byte may unpack. k6's output becomes ten to thirty times as large; gzip can
 * reach a thousand. A small file may have more.
 */
const MOST_UNPACKED = 200
const SMALL = 64 * MB

/** The maximum memory for what is kept of k6's output, in bytes: of millions of samples, and 200,000 answers. */
export const MOST_KEPT = { samples: 384 * MB, answers: 1024 * MB } as const

/** Limits what is kept of k6's output, over all files that are read with the same allowance. */
export class Allowance {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  /** @throws UnreadableOutput if more is to be kept than fits into memory */
  keep(bytes: number, path: string): void {
    this.#left -= bytes
    if (this.#left >= 0) return
    throw new UnreadableOutput(
      `With ${path}, k6's output is more than fits into memory: read fewer files at a time, or let fewer journeys be judged.`,
    )
  }
}

/**
 * Calls back with every line of a file (unpacked if its name ends in `.gz`), as bytes without the line feed, and
 * its number from 1. The bytes are valid only until the callback returns. Only a line feed ends a line.
 *
 * @returns the number of lines, and the rest after the last line feed: empty unless the writer was stopped
 * @throws UnreadableOutput if the file cannot be read, has a line of more than `longest` bytes, or unpacks to far more than
 * k6 writes
 */
export async function readLines(
  path: string,
  onLine: (line: Buffer, number: number) => void,
  longest = LONGEST_LINE,
): Promise<{ lines: number; rest: Buffer }> {
  let lines = 0
  let pending: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length > longest)
      throw new UnreadableOutput(
        `Line ${lines + 1} of ${path} is longer than ${(longest / MB).toLocaleString('en')} MB, and k6 writes no such line: name a file that k6 wrote, or leave this one out.`,
      )
    pending.push(part)
  }
  for await (const chunk of chunksOf(path)) {
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
  return { lines, rest: Buffer.concat(pending) }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    if (path.endsWith('.gz')) yield* unpacked(path)
    else yield* chunksOfFile(path)
  } catch (error) {
    if (error instanceof UnreadableOutput) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const what = code === 'ENOENT' ? 'it is not there' : (code ?? message)
    throw new UnreadableOutput(
      `k6's output could not be read from ${path} (${what}): name a file or folder that k6 wrote.`,
      { cause: error },
    )
  }
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  let [packed, length] = [0, 0]
  async function* counted() {
    for await (const chunk of chunksOfFile(path)) {
      packed += chunk.length
      yield chunk
    }
  }
  // A truncated file is read as far as possible.
  const gunzip = createGunzip({ chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH })
  for await (const chunk of Readable.from(counted()).compose(gunzip) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > Math.max(SMALL, packed * MOST_UNPACKED))
      throw new UnreadableOutput(
        `${path} unpacks to more than ${MOST_UNPACKED} times its size, and no output of k6 does: name a file that k6 wrote, or leave this one out.`,
      )
    yield chunk
  }
}
