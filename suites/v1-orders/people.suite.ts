import { groupChecks, ticketSender } from '../../fixtures/check/requests/index.ts'
import {
  parkAAges,
  parkACodes,
  parkADates,
  parkANumbers,
  parkAPassengers,
  parkAProducts,
  parkBCodes,
  parkBDates,
  parkBNumbers,
  parkBPassengers,
  parkBProducts,
} from '../../fixtures/service/index.ts'
import { describe, test } from '../../fixtures/test.ts'

// Separate checks for each operator, so that each also runs with live credentials.
for (const [product, tables] of [
  ['v1-park-a', [parkANumbers, parkAPassengers, parkAAges, parkADates, parkACodes, parkAProducts]],
  ['v1-park-b', [parkBNumbers, parkBPassengers, parkBDates, parkBCodes, parkBProducts]],
] as const) {
  describe(`the people of an order of tickets (${product})`, () => {
    for (const { title, body, ...options } of tables.flatMap(table =>
      groupChecks(ticketSender(product), table),
    ))
      test(title, options, body)
  })
}
