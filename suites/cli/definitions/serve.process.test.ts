import { expect, test } from 'vitest'
import { folderWith, runTss, startTss } from '../testing/command.ts'

const GREETING = /^The embedded deployment is running\.[\s\S]*Ctrl-C stops it\.$/m

test('what travel-sales serve prints is a .env that travel-sales certify understands, and a call that works', async () => {
  const serving = startTss(['serve', '--port', '0', '--control-port', '0'])
  const [greeting] = await serving.prints(GREETING)

  const [, address, header] = /curl -i (\S+) -H '([^']+)'/.exec(greeting) ?? []
  const [name, value] = header?.split(': ') ?? []
  const answer = await fetch(address!, { headers: { [name!]: value! } })
  expect(answer.status).toBe(200)

  const cwd = folderWith({ '.env': greeting.match(/^(TSS_|#).*$/gm)!.join('\n') })
  const { code, stdout } = await runTss(['certify', '--only', 'v2-transfers', '--json'], { cwd })
  expect(code).toBe(0)
  const summary = JSON.parse(stdout)
  expect(summary.verdict).toBe('conforms')
  // A booking past its deadline on a clock that was moved can no longer be cancelled.
  expect(summary.leftovers.filter(({ refused }: { refused?: true }) => refused !== true)).toEqual([])

  serving.send('SIGINT')
  expect(await serving.ended).toMatchObject({ code: 0, signal: null })
})
