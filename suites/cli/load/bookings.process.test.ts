import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Counters } from '../../../fixtures/ground/control.ts'
import { startAltered } from '../testing/altered-deployment.ts'
import { brokenIn, counted, everythingIn, load, onlyRun, recordIn, served } from '../testing/booked.ts'
import { freshFolder, startTss } from '../testing/command.ts'

describe('a deployment whose bookings outlive the run', () => {
  async function companies() {
    const { baseUrl, control } = await served()
    const [one, other] = [await control.mint({}), await control.mint({})]
    const env = {
      TSS_BASE_URL: baseUrl,
      TSS_TOKEN: one.token,
      TSS_TOKEN_OTHER: other.token,
      TSS_PRODUCTS: 'v2-transfers',
      TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
    }
    return { control, tenants: [one.tenant, other.tenant], env, tokens: [one.token, other.token] }
  }

  test.each([
    ['v2-transfers', 'v2 cancel'],
    ['v1-transfers,v1-park-a,v1-hotels,v1-park-b', 'v1 park A cancel'],
  ])(
    'is left without a booking of %s, and never saw more than its credentials allow',
    async (products, op) => {
      const { env, tokens } = await companies()
      const { code, record, cwd, stderr } = await load(
        ['--scenario', 'journey-mix', '--set', 'rate=3,duration=5'],
        { ...env, TSS_PRODUCTS: products },
      )
      expect(stderr).toMatch(/journey-mix: .* what the credentials .* allow/)
      expect(brokenIn(record)).toEqual([])
      expect(record.leftovers).toEqual([])
      expect(code).toBe(0)
      expect(record.load?.scenarios[0]?.calls.map(({ op }) => op)).toContain(op)
      expect(existsSync(join(onlyRun(cwd), 'ledger.ndjson'))).toBe(false)
      for (const token of tokens) expect(everythingIn(onlyRun(cwd))).not.toContain(token)
    },
  )

  test('Ctrl-C in the middle: what was found is written, nothing stays booked, 130', async () => {
    const { env: deployment, control, tenants } = await companies()
    const env = { ...deployment, TSS_PRODUCTS: 'v2-transfers,v1-park-a,v1-hotels' }
    // Booked when the interrupt comes, and answered after it.
    for (const tenant of tenants) await control.delay(tenant, 'v1 hotel confirm', 1000)
    const cwd = freshFolder()
    const run = startTss(
      ['load', '--scenario', 'journey-mix', '--set', 'rate=1,duration=60', '--deployment', 'env'],
      { cwd, env },
    )
    await run.prints(/^journey-mix \(smoke\)$/m)
    const isEnough = ({ bookings }: Counters) => bookings.parkA! > 1 && bookings.hotels! > 1
    await Promise.any(tenants.map(tenant => counted(control, tenant, isEnough)))
    run.send('SIGINT')
    const { code, stderr } = await run.ended
    expect(stderr).toContain('Interrupted: cancelling bookings.')
    expect(code).toBe(130)
    const record = recordIn(cwd)
    expect(record.halted).toBe('it was interrupted')
    expect(record.leftovers).toEqual([])
    expect(record.requests.v1).toBeGreaterThan(2)
  })

  test('that is unlucky with the first booking of a sender gets it once more as it was, no cookie back, and each cancellation once', async () => {
    const unlucky: string[] = []
    const cancelled: string[] = []
    const cookies = new Set<string | undefined>()
    let carrier = ''
    const deployment = await startAltered(async ({ method, path, headers, body }, pass) => {
      cookies.add(headers.cookie)
      if (path.endsWith('/cancel')) cancelled.push(path)
      const books = method === 'POST' && path === '/api/v2/bookings' && headers.authorization === carrier
      if (books && unlucky.push(`${headers['idempotency-key']} ${body}`) === 1) {
        const error = { code: 'BOOKING_IN_PROGRESS', message: 'x', request_id: 'r', details: {} }
        const json = {
          'content-type': 'application/json',
          'x-request-id': 'r',
          'cache-control': 'private, no-store',
        }
        return { status: 409, headers: json, body: JSON.stringify({ error }) }
      }
      const answer = await pass()
      return { ...answer, headers: { ...answer.headers, 'set-cookie': 'session=first; Path=/' } }
    })
    const { token } = await deployment.control.mint({})
    carrier = `Bearer ${token}`
    const { record, code } = await load(['--scenario', 'journey-mix', '--set', 'rate=1,duration=6'], {
      ...(await deployment.env(['v2-tickets'])),
      TSS_LOAD_TOKENS: token,
    })
    expect([...cookies]).toEqual([undefined])
    expect(new Set(cancelled).size).toBe(cancelled.length)
    expect(unlucky.length).toBeGreaterThan(1)
    expect(unlucky[1]).toBe(unlucky[0])
    expect(brokenIn(record)).toEqual([])
    expect(record.leftovers).toEqual([])
    expect(code).toBe(0)
  })

  test.each(['TSS_TOKEN', 'TSS_LOAD_TOKENS'])(
    'books nothing more once a booking of %s does not say that it is a test',
    async variable => {
      const { env, control } = await companies()
      const { token, tenant } = await control.mint({ modes: { transfers: 'live' } })
      const { record, code, stderr, stdout } = await load(
        ['--scenario', 'journey-mix', '--set', 'rate=3,duration=4'],
        { ...env, [variable]: token },
      )
      expect(record.halted).toMatch(/did not say test_mode: true/)
      expect(brokenIn(record)).toEqual(['V2-BOOKING-TEST-MODE-TEST'])
      expect((await control.counters(tenant)).bookings.transfers).toBeLessThanOrEqual(1)
      expect(record.leftovers).toEqual([])
      expect(stderr + stdout).not.toMatch(/\bat .*:\d+:\d+/)
      expect(code).toBe(3)
    },
  )
})
