import { join } from 'node:path'
import { z } from 'zod'
import { LARGEST, readFileOf } from '../../fixtures/ground/read-file.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import { replaceJsonNow } from '../../fixtures/output/files.ts'

/** The file in the folder of a run that shows how `watch` is getting on. */
const LIVE_FILE = 'watch.json'

/** The latest time that a date can hold. */
const LATEST = 8.64e15

const liveSchema = z.object({
  /** Where clients send their requests, and where these are passed on to. */
  proxy: z.string(),
  upstream: z.string(),
  startedAt: z.iso.datetime(),
  /** When this was written. */
  at: z.iso.datetime(),
  over: z.boolean(),
  exchanges: z.number(),
  lost: z.number(),
  clients: z.number(),
  /** Requests that were passed on without being judged, and those that were refused. */
  others: z.number(),
  refused: z.number(),
  findings: z.array(
    z.object({
      clause: z.string(),
      level: z.string(),
      message: z.string(),
      /** How often it was found. */
      count: z.number(),
      at: z.iso.datetime(),
    }),
  ),
  /** The newest exchanges, the newest one first. */
  newest: z.array(
    z.object({
      /** In epoch milliseconds. */
      at: z.number().min(0).max(LATEST),
      id: z.string(),
      client: z.string(),
      request: z.string(),
      answer: z.string(),
      milliseconds: z.number(),
    }),
  ),
})

/** How `watch` is getting on, as pages show it. Without secrets. */
export type Live = z.infer<typeof liveSchema>

/** Writes how it is getting on. Readers see the old or the new state, never a part. */
export const writeLive = (dir: string, live: Live): void => replaceJsonNow(join(dir, LIVE_FILE), live)

/** Returns how the `watch` of a run folder is getting on; `undefined` if it is none, or cannot be read. */
export function liveIn(dir: string): Live | undefined {
  try {
    const text = readFileOf(join(dir, LIVE_FILE), LARGEST.small, code => new Error(code))
    return liveSchema.safeParse(jsonIn(text)).data
  } catch {
    return undefined
  }
}
