import { groupChecks, ticketSender } from '../../fixtures/check/requests/index.ts'
import { lastIsSoldOnce, type ParkCheck } from '../../fixtures/check/v1/index.ts'
import { ofParkA, ofParkB } from '../../fixtures/service/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

// Separate checks for each operator, so that each also runs with live credentials.
for (const [product, tables, soldOut] of [
  ['v1-park-a', ofParkA, 'V1-PARK-A-ERR-NO-AVAILABILITY'],
  ['v1-park-b', ofParkB, 'V1-PARK-B-ERR-NO-AVAILABILITY'],
] as const) {
  describe(`the people of an order of tickets (${product})`, () => {
    for (const { title, body, ...options } of tables.flatMap(table =>
      groupChecks(ticketSender(product), table),
    ))
      test(title, options, body)

    test('the last ticket is sold once', {
      tags: [soldOut],
      kinds: [product],
      forReal: false,
    }, async check => {
      assume(check.arrange.realIsFree, 'a deployment on which real orders are free')
      await lastIsSoldOnce(check as unknown as ParkCheck, soldOut)
    })
  })
}
