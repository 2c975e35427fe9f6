import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonAnswer, LIVE, startAltered } from '../testing/altered-deployment.ts'
import { freshFolder, runTss } from '../testing/command.ts'

const BOOKS = /\/bookings|Confirm|Cancelation/

test('says what each credential may do, the limit, the profile and what the next one takes; books nothing', async () => {
  // It tells the ordinary limit.
  const deployment = await startAltered(undefined, { variants: { generous: {} } })
  const standard = await deployment.company(['v1-park-b', 'v2-transfers'])
  const live = await deployment.company([], LIVE)
  const env = { ...standard.env, TSS_TOKEN_LIVE: live.token }
  const { code, stdout, stderr } = await runTss(['doctor', '--json'], { env })
  // Two products, of which one is not booked.
  expect(code, stderr).toBe(1)
  const { roles, rateLimit, control, profile, canStart, machine, forecast } = JSON.parse(stdout)
  expect(forecast.obstacles[0]).toMatch(/^v1-park-b will not be booked: .*TSS_TEST_PRODUCTS in \.env$/)
  expect(forecast.unbooked).toMatchObject([{ product: 'v1-park-b' }])
  expect(forecast.reach.reachable).toBeLessThan(0.8 * forecast.reach.asked)
  expect(canStart).toBe(true)
  expect(machine.node).toBe(process.version)
  const answered = [
    { product: 'v1-park-b', answered: 200 },
    { product: 'v2-transfers', answered: 200 },
  ]
  // No answer about v1 tickets says whether a booking is a test, and nothing is booked on a credential that may be live.
  expect(roles).toEqual([
    { role: 'standard', catalogs: answered, books: ['v2-transfers'] },
    { role: 'live', catalogs: answered, books: [] },
  ])
  expect(rateLimit).toBe(500)
  expect(control.given).toEqual([])
  expect(profile).toMatchObject({ name: 'partner', next: 'staging' })
  expect(profile.missing[0].supply).toMatch(/^control:/)
  expect(deployment.requests.filter(({ path }) => BOOKS.test(path))).toEqual([])

  const said = await runTss(['doctor'], { env: { ...env, TSS_PER_MINUTE: '900' } })
  expect(said.stdout).toMatch(/role live: reads every catalog; is used for reads only/)
  expect(said.stdout).toMatch(/rate limit: 500 a minute; the kit sends 900: lower traffic\.perMinute/)
  expect(`${stdout}${said.stdout}${said.stderr}`).not.toContain(standard.token)
  expect(said.code).toBe(1)

  // Stated to be in test mode, or made by control, which makes companies in test mode.
  for (const more of [
    { TSS_TEST_PRODUCTS: 'v1-park-b' },
    { TSS_CONTROL_URL: deployment.reference.controlUrl },
  ]) {
    const told = await runTss(['doctor', '--json'], { env: { ...env, ...more } })
    expect(JSON.parse(told.stdout).forecast).toMatchObject({ obstacles: [], unbooked: [], decide: [] })
    expect(told.code).toBe(0)
  }
})

test('what cannot be tried, and what init left open, is foretold with exit code 1', async () => {
  const deployment = await startAltered(({ path }, pass) =>
    path.endsWith('/hotels/destinations') ? jsonAnswer(200, []) : pass(),
  )
  const cwd = freshFolder()
  const { TSS_TOKEN = '' } = await deployment.env([])
  writeFileSync(
    join(cwd, 'staging.mjs'),
    `export default {
       name: 'x', baseUrl: '${deployment.baseUrl}', products: ['v2-transfers', 'v2-hotels'],
       credentials: { standard: { token: process.env.TSS_TOKEN } }, traffic: { perMinute: 100 },
       // DECIDE marks what one answer could not tell
       // DECIDE destinations: no field with ids of places was found
       shapes: { hotels: { destinations: () => [], options: () => ({}) } },
     }`,
  )
  const doctor = ['doctor', '--deployment', 'staging.mjs']
  const { code, stdout } = await runTss(doctor, { cwd, env: { TSS_TOKEN } })
  expect(stdout).toMatch(
    /1 marked DECIDE in the definition:\n {2}destinations: no field with ids of places was found/,
  )
  expect(stdout).toMatch(
    /A run can reach at most \d+ % of what its profile asks for \(.*\), and less where .* DECIDE does not fit/,
  )
  expect(stdout).toMatch(/It takes about 0 requests of v1 and \d+ of v2, and \d+ minutes at its pace/)
  expect(stdout).toMatch(/would be blocked or incomplete/)
  expect(stdout).toContain('shapes.hotels.destinations: no field with ids of places was found')
  expect(stdout).toMatch(
    /^Not tried, because only bookings show it: .*shapes\.hotels\.options \(.* doctor --book tries them\)\./m,
  )
  expect(code).toBe(1)

  const check = await runTss(['doctor', '--try', '--deployment', 'staging.mjs'], { cwd, env: { TSS_TOKEN } })
  expect(check.stdout).toMatch(
    /Look at this: shapes\.hotels\.destinations: no field with ids of places was found/,
  )
  expect(check.code).toBe(1)
})

test('after a call that is not answered nothing more is asked: each may be waited for as long', async () => {
  const deployment = await startAltered(({ number }, pass, response) =>
    number === 1 ? pass() : void response.destroy(),
  )
  const env = await deployment.env(['v1-park-a', 'v1-park-b', 'v2-transfers', 'v2-tickets'])
  const { code, stdout } = await runTss(['doctor'], { env })
  expect(stdout).toMatch(/the catalog of v1-park-a was not answered: POST .*getTickets/)
  expect(stdout).toMatch(/no further calls were made, because one was not answered/)
  expect(new Set(deployment.requests.slice(1).map(({ path }) => path)).size).toBe(1)
  expect(code).toBe(1)
})

test('where a run cannot start, it ends with 3 and one sentence', async () => {
  const deployment = await startAltered()
  const env = { ...(await deployment.env(['v2-transfers'])), TSS_TOKEN: 'nobodys-credential' }
  const said = await runTss(['doctor'], { env })
  expect(said.stdout).toMatch(/^A run cannot start\./m)
  const { code, stdout } = await runTss(['doctor', '--json'], { env })
  const { canStart, obstacle, roles } = JSON.parse(stdout)
  expect(obstacle).toMatch(/refused the standard credential \(401 UNAUTHORIZED/)
  expect({ canStart, roles }).toEqual({ canStart: false, roles: [] })
  expect(stdout).not.toContain('nobodys-credential')
  expect(code).toBe(3)
})
