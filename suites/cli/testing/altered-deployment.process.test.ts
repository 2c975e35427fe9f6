import { expect, test } from 'vitest'
import { startAltered } from './altered-deployment.ts'
import { runTss } from './command.ts'

test('an altered deployment that alters nothing conforms', async () => {
  const deployment = await startAltered((_request, pass) => pass())
  const env = await deployment.env(['v2-transfers'])
  const { code, stdout } = await runTss(['certify', '--only', 'v2-offers', '--json'], { env })
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'conforms', findings: [] })
  expect(code).toBe(0)
  expect(deployment.requests.length).toBeGreaterThan(10)
})

test('what is altered is found', async () => {
  const deployment = await startAltered(async (request, pass) => {
    const answer = await pass()
    return request.path.endsWith('/offers/check') ? { ...answer, status: 203 } : answer
  })
  const env = await deployment.env(['v2-transfers'])
  const { code } = await runTss(['certify', '--only', 'v2-offers', '--json'], { env })
  expect(code).toBe(1)
})
