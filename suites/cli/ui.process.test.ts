import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { booked, company, onlyRun, recordOf, statesOf } from './testing/booked.ts'
import { freshFolder, type Running, runTss, startTss } from './testing/command.ts'

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

test('a finding is told as it comes, replayed, waived in a file and copied, and the run ends with its page', async () => {
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

  const markdown = await get(`/markdown?${new URLSearchParams(finding)}`)
  expect(markdown).toMatch(/^## V2-IDEM-REPLAY-FLAG: .*\n[\s\S]*\*\*Observed:\*\*[\s\S]*```sh\ncurl /)

  const waiver = { clause, owner: 'Ana', reason: 'Ticket 12', expires: '2999-01-31' }
  const shown = await post('/waive', waiver)
  expect(shown).toContain('+ ')
  const seen = /name="seen" value="([^"]+)"/.exec(shown)![1]!
  expect(await post('/waive', { ...waiver, seen })).toContain('now has the entry')
  const gated = await runTss(['certify', '--only', clause, '--waivers', 'waivers.yaml'], { cwd, env })
  expect(gated.code).toBe(0)
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

interface Call {
  request: {
    method: string
    url: { raw: string }
    header: { key: string; value: string }[]
    body?: { raw: string }
  }
  event?: { script: { exec: string[] } }[]
}

/** Acts as a graphical client: imports the collection of the page, and sends the requests a person would click. */
async function windowClient(page: string, collection: string) {
  const shown = (id: string) => new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(page)![1]!
  const { item, variable } = JSON.parse(collection) as {
    item: { name: string; item: Call[] }[]
    variable: { key: string; value: string }[]
  }
  const variables = new Map(variable.map(({ key, value }) => [key, value]))
  expect([variables.get('base_url'), variables.get('token')]).toEqual([shown('address'), shown('credential')])
  const calls = item.flatMap(folder => folder.item)
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name) =>
      name === '$guid' ? crypto.randomUUID() : (variables.get(name) ?? ''),
    )
  return async (method: string, path: string) => {
    const { request, event } = calls.find(
      one => one.request.method === method && one.request.url.raw.includes(path),
    )!
    const answer = await fetch(filled(request.url.raw), {
      method,
      headers: {
        authorization: `Bearer ${shown('credential')}`,
        'content-type': 'application/json',
        ...Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)])),
      },
      ...(request.body === undefined ? {} : { body: filled(request.body.raw) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const pm = {
      response: { json: () => JSON.parse(bytes.toString()) },
      collectionVariables: { set: (name: string, value: unknown) => variables.set(name, String(value)) },
    }
    for (const { script } of event ?? []) new Function('pm', script.exec.join('\n'))(pm)
    return answer.status
  }
}

test('a client with a window gets through transfers of v2 by the page alone, and is told what to mend', async () => {
  const cwd = freshFolder()
  const { get, post, shows } = await visit(cwd)
  const start = { client: 'postman', product: 'v2-transfers', patience: '1', port: '0' }
  expect(await post('/examine/start', start)).toBe('/examine')
  const page = await get('/examine')
  // Only the requests of its products can be copied, with the headers that they need.
  expect(page).toMatch(/Idempotency-Key: \{\{\$guid\}\}/)
  expect(page).not.toContain('/api/v2/tickets/')
  const send = await windowClient(page, await get('/examine/collection.json'))

  await post('/examine/situation', { situation: 'normal-day', act: 'begin' })
  expect(await get('/examine')).toContain('normal-day is under way')
  for (const [method, path] of [
    ['GET', '/transfers/products'],
    ['POST', '/transfers/availability'],
    ['POST', '/offers/check'],
    ['POST', '/api/v2/bookings'],
    ['GET', '/api/v2/bookings/'],
    ['GET', '/voucher'],
    ['POST', '/cancel'],
  ] as const)
    expect(await send(method, path), path).toBeOneOf([200, 201])
  expect(await shows('/examine/events', /\/cancel.*200/)).toContain('Requests as they arrive')
  await post('/examine/situation', { situation: 'normal-day', act: 'done' })
  expect(await get('/examine')).toMatch(/normal-day <small>done[\s\S]*?Nothing was found\./)

  await post('/examine/situation', { situation: 'pending-then-failed', act: 'begin' })
  for (const path of ['/transfers/availability', '/offers/check', '/api/v2/bookings'])
    await send('POST', path)
  await post('/examine/situation', { situation: 'pending-then-failed', act: 'done' })
  expect(await get('/examine')).toMatch(/V2-PENDING-CLIENT-READ-ON<\/strong> Expected .*; seen: /)

  // A credential that was sent counts as secret, but this page must still show it.
  expect(await get('/examine')).toContain(/id="credential".*?<\/pre>/.exec(page)![0])
  await post('/examine/end', {})
  const run = /\/run\?run=([\w-]+)/.exec(await get('/examine'))![1]!
  expect(recordOf(join(cwd, 'reports/out', run))).toMatchObject({
    subject: 'client',
    verdict: 'violates',
    deployment: { name: 'postman' },
  })
})
