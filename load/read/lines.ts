import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'

/** The error for k6 output that is unreadable or not from a scenario of the kit. Its message is for the user. */
export class UnreadableOutput extends Error {
  override readonly name = 'UnreadableOutput'
}

const CHUNK = 1024 * 1024
const LINE_FEED = 10

/**
 * Calls back with every line of a file (unpacked if its name ends in `.gz`), as bytes without the line feed, and
 * its number from 1. The bytes are valid only until the callback returns. Lines may have any length. Only a line
 * feed ends a line.
 *
 * @returns the number of lines, and the rest after the last line feed: empty unless the writer was stopped
 * @throws UnreadableOutput if the file cannot be read
 */
export async function readLines(
  path: string,
  onLine: (line: Buffer, number: number) => void,
): Promise<{ lines: number; rest: Buffer }> {
  let lines = 0
  let pending: Buffer[] = []
  for await (const chunk of chunksOf(path)) {
    let from = 0
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      let line = chunk.subarray(from, to)
      if (pending.length > 0) {
        line = Buffer.concat([...pending, line])
        pending = []
      }
      lines++
      onLine(line, lines)
      from = to + 1
    }
    if (from < chunk.length) pending.push(chunk.subarray(from))
  }
  return { lines, rest: Buffer.concat(pending) }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK })
  // A truncated file is read as far as possible.
  const stream: Readable = path.endsWith('.gz')
    ? pipeline(file, createGunzip({ chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH }), () => {})
    : file
  try {
    yield* stream
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const what = code === 'ENOENT' ? 'it is not there' : (code ?? message)
    throw new UnreadableOutput(
      `k6's output could not be read from ${path} (${what}): name a file or folder that k6 wrote.`,
      { cause: error },
    )
  }
}
