import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listening } from '../../fixtures/client/testing/until.ts'
import { load } from './testing/booked.ts'

const PASSWORD = 'of-the-store-0123456789'

test.each([
  [204, ''],
  [500, /^experimental-prometheus-rw lacks a part of this run, .* k6 said "Failed to send .*"\.$/m],
])(
  'k6 sends what it measures where its variables say; a store that answers %i changes no verdict',
  async (status, said) => {
    const written: { path?: string | undefined; login?: string | undefined; body: string }[] = []
    const { origin } = await listening((request, response) => {
      const { url: path, headers } = request
      const parts: Buffer[] = []
      request.on('data', part => parts.push(part))
      request.on('end', () => {
        // Snappy keeps a text as it is, but for pieces that came before: a common word may be cut, a run's id is not.
        written.push({ path, login: headers.authorization, body: Buffer.concat(parts).toString('latin1') })
        response.writeHead(status).end()
      })
    })
    const args = ['--scenario', 'journey-mix', '--set', 'rate=2,duration=2']
    const { code, stdout, stderr, record, cwd } = await load(
      [...args, '--k6-out', 'experimental-prometheus-rw'],
      {
        K6_PROMETHEUS_RW_SERVER_URL: `${origin}/api/v1/write`,
        K6_PROMETHEUS_RW_USERNAME: 'kit',
        K6_PROMETHEUS_RW_PASSWORD: PASSWORD,
        // These are of no output, or of another one, and would end or change the run.
        K6_ITERATIONS: '1',
        K6_OTEL_GRPC_EXPORTER_ENDPOINT: 'nowhere',
        K6_OUT: 'nowhere',
      },
    )
    expect(code, stderr).toBe(0)
    if (said === '') expect(stderr).not.toContain('lacks a part')
    else expect(stderr).toMatch(said)
    const login = `Basic ${Buffer.from(`kit:${PASSWORD}`).toString('base64')}`
    expect(written[0]).toMatchObject({ path: '/api/v1/write', login })
    const [run] = readdirSync(join(cwd, 'reports/out'))
    const [, time] = run!.split('T')
    expect(written.some(({ body }) => body.includes(time!))).toBe(true)
    expect(record.load?.k6).toBeDefined()
    const folder = join(cwd, 'reports/out', run!)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
    const left = files.filter(path => statSync(path).isFile()).map(path => readFileSync(path, 'utf8'))
    for (const text of [stdout, stderr, ...left]) expect(text.includes(PASSWORD)).toBe(false)
  },
)

test('an address that k6 refuses is told without the login in it', async () => {
  const { code, stdout, stderr, cwd } = await load(['--scenario', 'journey-mix', '--k6-out', 'influxdb'], {
    K6_INFLUXDB_ADDR: `http://kit:${PASSWORD}@[nowhere`,
  })
  expect(code).toBe(3)
  expect(stdout).toContain("could not create the 'influxdb' output")
  const folder = join(cwd, 'reports/out')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
  const left = files.filter(path => statSync(path).isFile()).map(path => readFileSync(path, 'utf8'))
  for (const text of [stdout, stderr, ...left]) expect(text.includes(PASSWORD)).toBe(false)
})
