import { groupChecks, ticketSender } from '../../fixtures/check/requests/index.ts'
import { ofParkA, ofParkB } from '../../fixtures/service/index.ts'
import { describe, test } from '../../fixtures/test.ts'

// Separate checks for each operator, so that each also runs with live credentials.
for (const [product, tables] of [
  ['v1-park-a', ofParkA],
  ['v1-park-b', ofParkB],
] as const) {
  describe(`the people of an order of tickets (${product})`, () => {
    for (const { title, body, ...options } of tables.flatMap(table =>
      groupChecks(ticketSender(product), table),
    ))
      test(title, options, body)
  })
}
