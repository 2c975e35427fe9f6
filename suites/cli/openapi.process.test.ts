import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runTss } from './testing/command.ts'

test('travel-sales openapi prints YAML, or the same as JSON', async () => {
  const yaml = await runTss(['openapi'])
  const json = await runTss(['openapi', '--json'])
  expect([yaml.code, json.code]).toEqual([0, 0])
  expect(yaml.stdout).toMatch(/^openapi: 3\.1\./)
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
})

test('travel-sales openapi --collection prints a Postman collection of one API version', async () => {
  const { code, stdout } = await runTss(['openapi', '--collection', '--version', 'v1'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).info.schema).toContain('collection/v2.1.0')
  expect(stdout).not.toContain('/api/v2/')
})

test('travel-sales openapi --links gives links the bodies of the calls that they lead to', async () => {
  const links = async (...options: string[]) => {
    const { stdout } = await runTss(['openapi', '--version', 'v2', '--json', ...options])
    return JSON.parse(stdout).paths['/api/v2/offers/check'].post.responses['200'].links.v2Book
  }
  expect((await links('--links')).requestBody.items[0].offer_id).toBe('$response.body#/offer/offer_id')
  expect(await links()).not.toHaveProperty('requestBody')
})

test('travel-sales openapi --version prints one API version', async () => {
  const { code, stdout } = await runTss(['openapi', '--version', 'v2', '--json'])
  expect(code).toBe(0)
  const paths = Object.keys(JSON.parse(stdout).paths)
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter(path => !path.startsWith('/api/v2/'))).toEqual([])
})

test('travel-sales --version is still that of the kit', async () => {
  expect((await runTss(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
