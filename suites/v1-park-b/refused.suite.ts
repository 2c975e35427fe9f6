import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { checksOf, confirmationsOf } from '../../fixtures/check/requests/index.ts'
import { ticketsFor, withAdultCode } from '../../fixtures/check/v1/index.ts'
import { parkBOrder, parkBPassenger } from '../../fixtures/service/index.ts'
import { describe, test } from '../../fixtures/test.ts'

const confirmations = { ...confirmationsOf('v1-park-b', ticketsFor), withChild: true }
/** Requests with `plu_ad` only, and with a code for each age. */
const inOtherCodes: typeof confirmations = {
  ...confirmations,
  others: body => [withAdultCode(body), { ...withAdultCode(body), plu_ch: body.plu }],
}
/** Requests whose incomplete passengers must be refused as an inconsistent list. */
const ofPassengers: typeof confirmations = {
  ...confirmations,
  lacking: {
    tags: ['V1-PARK-B-ERR-PAX'],
    judge({ expect }, answer) {
      // A market refusal says nothing about the list.
      if (isMarketRefusal(answer)) return
      expect(answer, 'V1-PARK-B-ERR-PAX').toRefuseAsStated()
    },
  },
}
for (const [table, requests] of [
  [parkBPassenger, ofPassengers],
  [parkBOrder, inOtherCodes],
] as const) {
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, requests)) test(title, options, body)
  })
}
