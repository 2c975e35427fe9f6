import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { booked, company, onlyRun, statesOf } from '../testing/booked.ts'
import { type Running, startTss } from '../testing/command.ts'

/** A browser that has opened the pages. */
interface Visitor {
  running: Running
  get(path: string): Promise<string>
  /** Presses a button. @returns the address it leads to, or the sentence of a refusal */
  post(path: string, fields: Record<string, string>): Promise<string>
  /** Resolves once a live part of a page matches. */
  shows(path: string, pattern: RegExp): Promise<string>
}

async function visit(cwd: string, env: Record<string, string> = {}): Promise<Visitor> {
  const running = startTss(['ui', '--no-open'], { cwd, env })
  const [, address] = await running.prints(/(http:\/\/127\.0\.0\.1:\S+)/)
  const { origin } = new URL(address!)
  const opened = await fetch(address!, { redirect: 'manual' })
  const headers = { cookie: opened.headers.getSetCookie()[0]!.split(';')[0]!, origin }
  return {
    running,
    get: async path => (await fetch(origin + path, { headers })).text(),
    async post(path, fields) {
      const body = new URLSearchParams(fields)
      const answer = await fetch(origin + path, { method: 'POST', headers, body, redirect: 'manual' })
      return answer.headers.get('location') ?? answer.text()
    },
    async shows(path, pattern) {
      const answer = await fetch(origin + path, { headers })
      let text = ''
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
        text += part
        if (pattern.test(text)) return text
      }
      throw new Error(`${path} ended without ${pattern}: ${text}`)
    },
  }
}

const eventsOf = (live: string): string => live.replace('/live', '/live/events')

async function partner(variant?: string) {
  const { baseUrl, token, ...one } = await company(variant === undefined ? {} : { variant })
  return { ...one, states: (run: string) => statesOf(run, baseUrl, token) }
}

// In a browser, ui.spec.ts copies and waives.
test('a finding is told as it comes, and replayed, and the run ends with its page', async () => {
  const { cwd, env } = await partner('replay-without-flag')
  const { post, shows, get } = await visit(cwd, env)
  const clause = 'V2-IDEM-REPLAY-FLAG'
  const live = await post('/start', { definition: 'env', only: clause })
  const told = await shows(eventsOf(live), /event: over/)
  expect(told).toMatch(/[1-9] clauses? with a finding so far.*V2-IDEM-REPLAY-FLAG/)
  expect(told).toContain('something was found')
  expect(told).toMatch(/violates[\s\S]*clauses? broken[\s\S]*Open report/)
  const run = /\/run\?run=([\w-]+)/.exec(told)![1]!
  const finding = { run, clause, at: '0' }
  const page = await get(`/run?run=${run}`)
  expect(page).toMatch(/action="\/replay"/)
  expect(page).not.toContain(env.TSS_TOKEN)

  const replayed = await post('/replay', { ...finding, definition: 'env' })
  expect(await shows(eventsOf(replayed), /event: over/)).toContain('the finding shows again')
})

// Ctrl-C stops the run and says so; a run whose pages were killed notices that they are gone.
test.each(['SIGINT', 'SIGKILL'] as const)('%s of the pages ends the run with its cleanup', async signal => {
  const { cwd, env, control, tenant, states } = await partner()
  const { post, running } = await visit(cwd, env)
  await post('/start', { definition: 'env', area: 'v2-bookings' })
  await booked(control, tenant, 2)
  expect(await post('/start', { definition: 'env' })).toContain('still goes on with env')
  running.send(signal)
  const { code, stderr } = await running.ended
  expect(code).toBe(signal === 'SIGINT' ? 130 : null)
  if (signal === 'SIGINT')
    expect(stderr).toMatch(/is being stopped: what it booked is cancelled first[\s\S]*has ended: reports/)
  const run = onlyRun(cwd)
  const note = () => JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'))
  while (!note().over) await new Promise(resolve => setTimeout(resolve, 50))
  const all = await states(run)
  expect(all.size).toBeGreaterThanOrEqual(2)
  expect(new Set(all.values())).toEqual(new Set(['cancelled']))
})
