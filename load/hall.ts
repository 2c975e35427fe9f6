import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cancellationOf, goneAs, readingOf } from '../fixtures/client/confirmations.ts'
import { createHearing, type Hearing } from './hearing.ts'
import type { LoadExchange, LoadFailure, StageEvidence } from './judges/judge.ts'
import type { Performing } from './perform.ts'
import { RAW } from './process.ts'
import { readSpool } from './spool.ts'
import { createStagehand, type Stagehand } from './stagehand.ts'

/** Where one scenario is performed: its stagehand, and everything that is heard of it. */
export interface Hall {
  hand: Stagehand
  hearing: Hearing
  /** Names an exchange as the evidence of a finding does. */
  exchange(id: string): LoadExchange | undefined
  /** Writes these exchanges down, redacted, with a few of every kind. */
  writeDown(ids: readonly string[]): void
}

/** Bodies larger than this are cut once they are judged: thousands of them would fill the memory. */
const LARGEST_KEPT = 16 * 1024
/** Of every call and status, so many exchanges are written down though no finding cites them. */
const SAMPLES = 2

/** Opens the hall for one scenario; `check` is what its exchanges are filed under. */
export function openHall(performing: Performing, check: string): Hall {
  const { deployment, scenario, settings, shapes, missing, variant, line, desk, keepRaw } = performing
  const { recorder, ledger } = line
  const hearing = createHearing()
  const exchanges = new Map<string, LoadExchange>()
  const tokens = new Map<string, string>()

  const attend = async (evidence: StageEvidence, spool: string): Promise<StageEvidence> => {
    const heard: LoadExchange[] = []
    const failures: LoadFailure[] = []
    const { baseUrl, senders } = evidence.plan
    await readSpool(spool, { baseUrl, senders, check, nextId: recorder.nextId }, answer => {
      if (!('response' in answer)) {
        failures.push(answer)
        return
      }
      hearing.hear(answer)
      if (!deployment.disposable) keepBooks(answer)
      const kept = lightened(answer)
      heard.push(kept)
      exchanges.set(kept.id, kept)
    })
    // Answers as they came stay nowhere: the folder of a run may be handed on.
    rmSync(spool, { force: true })
    if (!keepRaw) rmSync(join(spool, '..', RAW.samples), { force: true })
    return { ...evidence, exchanges: heard, failures }
  }

  /** What cancels, or shows that a booking is gone, is noted as the kit's own client does. */
  const keepBooks = (exchange: LoadExchange): void => {
    const { method, path } = exchange.request
    const cancelled = cancellationOf({ method, path })
    const subject = cancelled ?? readingOf({ method, path })
    if (subject === null) return
    const gone = goneAs(exchange, cancelled === null ? 'read' : 'cancel')
    for (const product of ['v2-transfers', 'v2-tickets', 'v2-hotels'] as const) {
      if (gone !== null) ledger.cancelled({ ...subject, product, ...exchange.sender }, gone)
    }
  }

  const hand = createStagehand({
    deployment,
    scenario,
    settings,
    shapes,
    missing,
    variant,
    k6: performing.k6,
    dir: join(performing.dir, 'raw', scenario),
    nonce: randomBytes(6).toString('hex'),
    desk,
    spoolEvery: 1,
    signal: performing.signal,
    onNotice: performing.onNotice,
    onStage: attend,
    onCast: ({ sender, token }) => tokens.set(sender.tenant ?? sender.role, token),
  })

  return {
    hand,
    hearing,
    exchange: id => exchanges.get(id),
    writeDown(ids) {
      const wanted = new Set(ids)
      const seen = new Map<string, number>()
      for (const { id, op, response } of exchanges.values()) {
        const kind = `${op} ${response.status}`
        const count = seen.get(kind) ?? 0
        seen.set(kind, count + 1)
        if (count < SAMPLES) wanted.add(id)
      }
      for (const exchange of exchanges.values()) {
        if (!wanted.has(exchange.id)) continue
        const { sender, request } = exchange
        const token = tokens.get(sender.tenant ?? sender.role) ?? null
        recorder.record(exchange, {
          token,
          bodyText: request.body === null ? null : Buffer.from(request.body).toString(),
        })
      }
      recorder.forget(check)
    },
  }
}

function lightened(exchange: LoadExchange): LoadExchange {
  const { response } = exchange
  if (response.body.length <= LARGEST_KEPT) return exchange
  const body = response.body.subarray(0, LARGEST_KEPT)
  const text = response.text.slice(0, LARGEST_KEPT)
  return { ...exchange, response: { ...response, rawBody: body, body, text, json: undefined } }
}
