import { attempt } from '../../fixtures/check/v1/index.ts'
import { describe, EVERY_V1_KIND, test } from '../../fixtures/test.ts'

describe('confirmations of API v1', () => {
  // Every check compares its companies' orders with the answers.
  test("make one order if accepted and none if refused, by the deployment's own count", {
    tags: ['V1-CONFIRM-COUNTED-*'],
    kinds: EVERY_V1_KIND,
  }, async check => {
    const { arrange, act, control } = check
    control.require('mint')
    control.require('counters')
    const body = arrange.anyBody(await arrange.offer())
    const spoilt = 'total_amount' in body ? { total_amount: -1 } : { bookingHolder: undefined }
    await attempt(check, { ...body, ...spoilt })
    await act.booked('the same without that fault', { what: () => arrange.offer() })
  })
})
