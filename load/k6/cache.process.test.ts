import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { cachedK6, cacheFolder, inWorkshop, putIntoCache } from './cache.ts'
import { NoK6 } from './search.ts'

test.each([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.cache/travel-sales-conformance'],
  ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: '/var/c' }, '/var/c/travel-sales-conformance'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Caches/travel-sales-conformance'],
  ['win32', { LOCALAPPDATA: '/ada/Local' }, '/ada/Local/travel-sales-conformance'],
  ['linux', { HOME: '/home/ada', TSS_CACHE_DIR: '/var/tss' }, '/var/tss'],
] as const)('on %s with %j the cache is %s', (platform, env, folder) => {
  expect(cacheFolder(env, platform)).toBe(folder)
})

test('a temporary folder is removed after success and after failure', async () => {
  const cache = join(temporaryFolder(), 'not', 'there', 'yet')
  expect(
    await inWorkshop(cache, async folder => {
      writeFileSync(join(folder, 'half'), '')
      return 'done'
    }),
  ).toBe('done')
  await expect(
    inWorkshop(cache, async folder => {
      writeFileSync(join(folder, 'half'), '')
      throw new Error('broken')
    }),
  ).rejects.toThrow('broken')
  expect(readdirSync(cache)).toEqual([])
})

test('the temporary folder of a killed process is removed a day later, others stay', async () => {
  const cache = temporaryFolder()
  for (const [name, hours] of [
    ['making-old', 25],
    ['making-new', 1],
    ['k6-v2.3.0', 25],
  ] as const) {
    mkdirSync(join(cache, name))
    const made = new Date(Date.now() - hours * 3_600_000)
    utimesSync(join(cache, name), made, made)
  }
  await inWorkshop(cache, async () => {})
  expect(readdirSync(cache).sort()).toEqual(['k6-v2.3.0', 'making-new'])
})

test('a program replaces an older one', async () => {
  const cache = temporaryFolder()
  const place = cachedK6(cache, 'v2.3.0')
  for (const content of ['first', 'second']) {
    writeFileSync(join(cache, 'made'), content)
    await putIntoCache(join(cache, 'made'), place)
    expect(readFileSync(place, 'utf8')).toBe(content)
  }
})

test('a cache that is not writable is reported in a sentence', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  await expect(inWorkshop(join(folder, 'file'), async () => {})).rejects.toThrow(
    new NoK6(
      'machine',
      `k6 cannot be kept in ${join(folder, 'file')} (EEXIST): set TSS_CACHE_DIR to a folder that can be written, or install k6 2.0.0 or newer and set K6_BIN to it.`,
    ),
  )
  mkdirSync(join(folder, 'k6'))
  writeFileSync(join(folder, 'made'), '')
  await expect(putIntoCache(join(folder, 'made'), join(folder, 'k6'))).rejects.toThrow(/cannot be kept/)
})
