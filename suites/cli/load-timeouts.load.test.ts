import { expect, test } from 'vitest'
import { brokenIn, recordIn } from './testing/booked.ts'
import { freshFolder, startTss } from './testing/command.ts'

test('answers just within the documented times conform, and those just after do not', async () => {
  // The scale is not too small, so that delays of the machine itself do not matter. Each test waits for 14 of its 16
  // seconds.
  const scaled = async (delay: number) => {
    const cwd = freshFolder()
    const settings = `scale=0.02,delay=${delay},each=1,rate=4`
    const { code } = await startTss(['load', '--scenario', 'timeouts', '--set', settings], { cwd }).ended
    return { code, record: recordIn(cwd) }
  }
  const [within, late] = await Promise.all([scaled(0.6), scaled(1.1)])
  expect(brokenIn(within.record)).toEqual([])
  expect(brokenIn(late.record)).toEqual([
    'TIMEOUT-READS',
    'TIMEOUT-V2-AVAILABILITY',
    'TIMEOUT-V2-HOTEL-SEARCH-START',
    'TIMEOUT-V2-HOTEL-SEARCH-POLL',
    'TIMEOUT-V2-OFFER-CHECK',
    'TIMEOUT-V2-BOOK',
    'TIMEOUT-V2-CANCEL',
    'TIMEOUT-V2-VOUCHER',
    'TIMEOUT-V1-PARK-A-CONFIRM',
    'TIMEOUT-V1-PARK-B-CONFIRM',
  ])
  // The document does not promise these times literally: they are recommendations.
  expect(late.code).toBe(0)
})
