import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type AlteredDeployment,
  type AlteredRequest,
  jsonAnswer,
  LIVE,
  startAltered,
} from '../testing/altered-deployment.ts'
import { folderWith, freshFolder, runTss } from '../testing/command.ts'

/** Calls that change something. */
const BOOKS = /\/bookings|Confirm|Cancelation/

const nothingBooked = ({ requests }: AlteredDeployment) =>
  expect(requests.filter(({ path }) => BOOKS.test(path))).toEqual([])

test('writes a definition and a .env that the kit can use, and books nothing', async () => {
  const deployment = await startAltered()
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

/** Starts a deployment that uses other field names in answers and requests. */
const renamed = () =>
  startAltered(async (request, pass) => {
    const wanted = WANTED.find(([path]) => request.path === path)
    if (wanted !== undefined) {
      const missing = refusalOf(request, wanted[1])
      if (missing !== undefined) return missing
      request.body = Buffer.from(JSON.stringify(translated(request)))
    }
    const answer = await pass()
    if (answer.status !== 200 && answer.status !== 202 && answer.status !== 201) return answer
    const said = NAMES.find(([path]) => path.test(request.path))
    if (said === undefined || !/json/.test(String(answer.headers['content-type']))) return answer
    return {
      ...answer,
      body: said[1].reduce((text, [from, to]) => text.replaceAll(from, to), String(answer.body)),
    }
  })

const NAMES: readonly [RegExp, [RegExp, string][]][] = [
  [/v2\/transfers\/products/, [[/"product_id":/g, '"transfer_code":']]],
  [
    /v2\/tickets\/products/,
    [
      [/"product_id":/g, '"sku":'],
      [/"operator":"park/g, '"sold_by":"park'],
      [/"id":/g, '"position":'],
    ],
  ],
  [/v2\/hotels\/destinations/, [[/"(destination_)?id":/g, '"place_code":']]],
  [/v2\/hotels\/availability$/, [[/"search_id":/g, '"session":']]],
]

const WANTED: readonly [path: string, fields: string[]][] = [
  ['/api/v2/tickets/availability', ['skus', 'date_from', 'date_to', 'adults']],
  ['/api/v2/hotels/availability', ['place', 'arrival', 'departure', 'rooms']],
]

function refusalOf({ body }: AlteredRequest, fields: readonly string[]) {
  const sent = JSON.parse(String(body))
  const errors = fields.filter(field => sent[field] === undefined).map(field => ({ field, code: 'REQUIRED' }))
  if (errors.length === 0) return undefined
  const error = { code: 'VALIDATION_ERROR', message: 'Invalid', request_id: 'r', details: { errors } }
  return jsonAnswer(400, { error })
}

function translated({ body }: AlteredRequest): unknown {
  const { skus, date_from, date_to, adults, place, arrival, departure, rooms } = JSON.parse(String(body))
  return skus === undefined
    ? { destination_id: place, check_in: arrival, check_out: departure, occupancy: rooms }
    : { product_ids: skus, from: date_from, to: date_to, pax: { adult: adults, child: 0, infant: 0 } }
}

test('finds the field names that a deployment uses in its answers, and those it requires in its refusals', async () => {
  const deployment = await renamed()
  const { TSS_TOKEN = '', TSS_BASE_URL = '' } = await deployment.env([])
  const cwd = freshFolder()
  const env = { TSS_TOKEN, TSS_BASE_URL }
  const args = ['init', '--products', 'v2-transfers,v2-tickets,v2-hotels']
  const { code, stdout, stderr } = await runTss(args, { cwd, env })
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/v2-transfers +claimed; found by trying: productIds/)
  expect(stdout).toMatch(/v2-tickets +claimed; found by trying: products, availability/)
  expect(stdout).toMatch(/v2-hotels +claimed; found by trying: destinations, search, searchId/)
  const definition = readFileSync(join(cwd, 'deployment.ts'), 'utf8')
  expect(definition).toContain('skus: [product.id], date_from: from, date_to: to, adults: pax.adult')
  const tried = await runTss(['doctor', '--try', '--deployment', 'deployment.ts'], { cwd })
  expect(tried.stdout, tried.stderr).toMatch(/shapes\.tickets\.offers +\d+ offers of park[AB]/)
  expect(tried.stdout).toMatch(/shapes\.hotels\.finished +the end after/)
  expect(tried.code).toBe(0)
  nothingBooked(deployment)
})

test('marks what cannot be guessed, with the fields of the answer and none of its values', async () => {
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
  const deployment = await startAltered()
  const { TSS_PRODUCTS, ...env } = (await deployment.company([], LIVE)).env
  expect((await runTss(['init'], { env })).code).toBe(0)
  nothingBooked(deployment)
})

const TSS_TOKEN = 'a-credential-of-nobody'

test('overwrites neither a definition nor a .env', async () => {
  const cwd = folderWith({ 'deployment.ts': 'mine' })
  const env = { TSS_TOKEN, TSS_BASE_URL: 'http://127.0.0.1:9' }
  const { code, stderr } = await runTss(['init'], { cwd, env })
  expect(stderr).toMatch(/deployment\.ts exists, and init overwrites nothing/)
  expect(code).toBe(2)
  expect(readFileSync(join(cwd, 'deployment.ts'), 'utf8')).toBe('mine')

  const deployment = await startAltered()
  const own = await deployment.env([])
  const dotEnv = `OTHER=1\nTSS_TOKEN=${own.TSS_TOKEN}\nTSS_BASE_URL=${own.TSS_BASE_URL}\n`
  writeFileSync(join(cwd, '.env'), dotEnv)
  const { stdout } = await runTss(['init', '--file', 'other.ts', '--products', 'v2-transfers'], { cwd })
  expect(stdout).toContain('The .env that is here was left as it is.')
  expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe(dotEnv)
})
