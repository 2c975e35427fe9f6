import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AlteredDeployment, LIVE, startAltered } from './testing/altered-deployment.ts'
import { freshFolder, runTss } from './testing/command.ts'

const plain = () => startAltered((_request, pass) => pass())

/** Calls that change something. */
const BOOKS = /\/bookings|Confirm|Cancelation/

const nothingBooked = ({ requests }: AlteredDeployment) =>
  expect(requests.filter(({ path }) => BOOKS.test(path))).toEqual([])

test('writes a definition and a .env that the kit can use, and books nothing', async () => {
  const deployment = await plain()
  const { TSS_TOKEN = '', TSS_BASE_URL = '' } = await deployment.env([])
  const cwd = freshFolder()
  const { code, stdout, stderr } = await runTss(['init', '--base-url', TSS_BASE_URL], {
    cwd,
    env: { TSS_TOKEN },
  })
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('Every open shape was seen in a real answer.')
  expect(stdout).toContain('Add .env to .gitignore')
  nothingBooked(deployment)

  const definition = readFileSync(join(cwd, 'deployment.ts'), 'utf8')
  expect(definition.replaceAll(/\s+/g, ' ')).toMatch(/products: \[ ?'v1-hotels', .* 'v2-hotels',? ?\]/)
  expect(`${definition}${stdout}${stderr}`).not.toContain(TSS_TOKEN)
  expect(readFileSync(join(cwd, '.env'), 'utf8')).toContain(`TSS_TOKEN=${TSS_TOKEN}\n`)
  expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600)

  const tried = await runTss(['doctor', '--try', '--deployment', 'deployment.ts'], { cwd })
  expect(tried.stdout).toContain('Every adapter that was tried returned something')
  expect(tried.code).toBe(0)
})

test('marks what the defaults cannot read, with the fields of the answer and none of its values', async () => {
  const deployment = await startAltered(async ({ path }, pass) => {
    const answer = await pass()
    return path === '/api/v2/tickets/products'
      ? { ...answer, body: JSON.stringify({ catalogue: [{ secretive: ['PRIVATE-1'], sold: true }] }) }
      : answer
  })
  const env = await deployment.env([])
  const cwd = freshFolder()
  const { stdout, code } = await runTss(['init', '--products', 'v2-tickets'], { cwd, env })
  expect(stdout).toContain('To decide (look for DECIDE): shapes.tickets.products.')
  const definition = readFileSync(join(cwd, 'deployment.ts'), 'utf8')
  expect(definition).toMatch(
    /\/\/ DECIDE products: .*\n +\/\/ its fields: catalogue\[\]\.secretive\[\], catalogue\[\]\.sold/,
  )
  expect(definition).not.toContain('PRIVATE-1')
  expect(code).toBe(0)
})

test('with a live credential, init only reads', async () => {
  const deployment = await plain()
  const { TSS_PRODUCTS, ...env } = (await deployment.company([], LIVE)).env
  expect((await runTss(['init'], { env })).code).toBe(0)
  nothingBooked(deployment)
})

const TSS_TOKEN = 'a-credential-of-nobody'

test('overwrites neither a definition nor a .env', async () => {
  const cwd = freshFolder()
  writeFileSync(join(cwd, 'deployment.ts'), 'mine')
  const env = { TSS_TOKEN, TSS_BASE_URL: 'http://127.0.0.1:9' }
  const { code, stderr } = await runTss(['init'], { cwd, env })
  expect(stderr).toMatch(/deployment\.ts exists, and init overwrites nothing/)
  expect(code).toBe(2)
  expect(readFileSync(join(cwd, 'deployment.ts'), 'utf8')).toBe('mine')

  const deployment = await plain()
  const own = await deployment.env([])
  const dotEnv = `OTHER=1\nTSS_TOKEN=${own.TSS_TOKEN}\nTSS_BASE_URL=${own.TSS_BASE_URL}\n`
  writeFileSync(join(cwd, '.env'), dotEnv)
  const { stdout } = await runTss(['init', '--file', 'other.ts', '--products', 'v2-transfers'], { cwd })
  expect(stdout).toContain('The .env that is here was left as it is.')
  expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe(dotEnv)
})
