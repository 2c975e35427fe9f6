import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listening } from '../../../fixtures/client/testing/until.ts'
import { load } from '../testing/booked.ts'
import { folderWith, runTss } from '../testing/command.ts'

const embedded = new URL('../../../fixtures/deployments/embedded.ts', import.meta.url).pathname

test.each<[string[], RegExp, Record<string, string>?, number?]>([
  [['--scenario', 'burst'], /There is no scenario burst: give some of rate-limit-burst, /],
  [['--profile', 'huge'], /There is no profile huge: give one of smoke, ci, staging with/],
  [
    ['--scenario', 'soak', '--set', 'keys=3'],
    /No setting is called keys in soak: --set takes rate, duration/,
  ],
  [['--set', 'rate=fast'], /such as rate=5,duration=60/],
  [['--set', 'rate=0,duration=0'], /rate, duration must be above 0 in --set/],
  [['--variant', 'unheard-of', '--scenario', 'soak'], /unheard-of/],
  [
    [],
    /not on this machine .* load: \{ allowed: true, maxRate/,
    { TSS_BASE_URL: 'https://staging.example.com' },
  ],
  [['--archive', 'no/such/load.tar'], /no\/such\/load\.tar cannot be made \(ENOENT\): with --archive, give/],
  [['--archive', '.', '--scenario', 'search-polling'], /^travel-sales: \. cannot be made \(EEXIST\): with/m],
  [
    ['--archive', 'load.tar', '--scenario', 'search-polling'],
    /made: its credentials .* has none of the role standard/,
    { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN: '', TSS_CONTROL_URL: 'http://127.0.0.1:9' },
  ],
  [['--archive', 'load.tar'], /No archive can be made: it holds one scenario, which --scenario names\.$/m],
  [
    ['--archive', 'load.tar', '--scenario', 'search-polling'],
    /made: its credentials come by the environment/,
  ],
  [['--archive', 'load.tar', '--scenario', 'rate-limit-burst'], /made: rate-limit-burst holds all that a /],
  [
    ['--archive', 'load.tar', '--scenario', 'soak'],
    /made: soak books, and only this process journals/,
    { TSS_BASE_URL: 'http://127.0.0.1:9' },
  ],
  [
    ['--archive', 'load.tar', '--scenario', 'search-polling'],
    /made: only this process can renew tokens that change/,
    { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN_OTHER_COMMAND: 'echo a-token' },
  ],
  [[], /http:\/\/127\.0\.0\.1:9 could not be reached/, { TSS_BASE_URL: 'http://127.0.0.1:9' }, 3],
])('a call that cannot be carried out gets one sentence: %j', async (args, sentence, at = {}, wanted = 2) => {
  const env = { ...(Object.keys(at).length > 0 && { TSS_TOKEN: 'abc-not-real' }), ...at }
  const { code, stderr } = await runTss(['load', ...args], { env })
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/)
  expect(code).toBe(wanted)
})

test('a call that cannot be carried out gets one sentence: a K6_BIN that is no k6', async () => {
  const cwd = folderWith({ 'definition.ts': `export { default, launch } from '${embedded}'` })
  const { code, stderr } = await runTss(['load', '--deployment', 'definition.ts'], {
    cwd,
    env: { K6_BIN: join(cwd, 'nothing') },
  })
  expect(stderr).toMatch(/^travel-sales: .*K6_BIN/m)
  expect(code).toBe(2)
})

describe('what a deployment or a definition does is no fault of the kit', () => {
  test('one that closes every connection but the first', async () => {
    let asked = 0
    const { origin } = await listening((_, response) => {
      if (asked++ > 0) response.socket?.destroy()
      else response.setHeader('content-type', 'application/json').end('[]')
    })
    const { code, record, stderr } = await load(['--scenario', 'journey-mix'], {
      TSS_BASE_URL: origin,
      TSS_TOKEN: 'abc-not-real',
      TSS_PRODUCTS: 'v2-transfers',
    })
    expect(record.checks.map(({ verdict }) => verdict)).toContain('blocked')
    expect(record.errors).toEqual([])
    expect(stderr).not.toContain('The kit itself failed')
    expect(code).toBe(1)
  })

  test('a definition whose adapter throws', async () => {
    const cwd = folderWith({
      'throwing.ts': `import embedded from '${embedded}'
       export { launch } from '${embedded}'
       const shapes = { hotels: { searchId() { throw new Error('no such search') } } }
       export default addresses => ({ ...embedded(addresses), products: ['v2-transfers', 'v2-hotels'], shapes })`,
    })
    const args = ['load', '--deployment', 'throwing.ts', '--scenario', 'search-polling,journey-mix']
    const { code, stdout } = await runTss(args, { cwd })
    expect(stdout).toMatch(/search-polling\.ts > .*: no such search/)
    expect(stdout).toMatch(/journey-mix {2}too short to say, needs 20 s/)
    expect(code).toBe(3)
  })

  test('a definition whose adapters import modules and stand on outer names', async () => {
    const cwd = folderWith({
      'fields.ts': `export const [ID, STATE]: string[] = ['search_id', 'status']`,
      'own.ts': `import { readFileSync } from 'node:fs'
       import embedded from '${embedded}'
       import { ID, STATE } from './fields.ts'
       export { launch } from '${embedded}'
       const isOver = (state: unknown) => state === 'finished'
       const hotels = { searchId: (answer: any) => answer[ID], finished: (answer: any) => isOver(answer[STATE]) }
       const self = () => readFileSync(import.meta.filename, 'utf8')
       export default (addresses: any) => ({
         ...embedded(addresses), name: 'own ' + typeof self, products: ['v2-hotels'], shapes: { hotels },
       })`,
    })
    const args = ['load', '--deployment', 'own.ts', '--scenario', 'search-polling']
    const { code, stdout } = await runTss(args, { cwd })
    expect(stdout).toMatch(/search-polling {2}conforms/)
    expect(code).toBe(0)
  })
})
