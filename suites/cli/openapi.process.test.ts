import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runTss } from './testing/command.ts'

test('travel-sales openapi prints YAML, or the same as JSON; of one API version, with links or as a collection', async () => {
  const yaml = await runTss(['openapi', '--version', 'v2', '--links'])
  const json = await runTss(['openapi', '--version', 'v2', '--links', '--json'])
  expect([yaml.code, json.code]).toEqual([0, 0])
  expect(yaml.stdout).toMatch(/^openapi: 3\.1\./)
  const document = JSON.parse(json.stdout)
  expect(parse(yaml.stdout)).toEqual(document)
  expect(Object.keys(document.paths).filter(path => !path.startsWith('/api/v2/'))).toEqual([])
  expect(document.paths['/api/v2/offers/check'].post.responses['200'].links.v2Book).toHaveProperty(
    'requestBody',
  )

  const { code, stdout } = await runTss(['openapi', '--collection', '--version', 'v1'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).info.schema).toContain('collection/v2.1.0')
  expect(stdout).not.toContain('/api/v2/')
})

test('travel-sales --version is still that of the kit', async () => {
  expect((await runTss(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
