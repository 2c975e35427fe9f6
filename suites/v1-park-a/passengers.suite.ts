import { checksOf, confirmationsOf } from '../../fixtures/check/requests/index.ts'
import { offerAmong, ticketsFor, type V1Ticket } from '../../fixtures/check/v1/index.ts'
import { parkAOrder, parkAPassenger } from '../../fixtures/service/index.ts'
import { describe, orOrdinary, test } from '../../fixtures/test.ts'

const ofAnyone = confirmationsOf('v1-park-a', ticketsFor)
const confirmations: typeof ofAnyone = {
  ...ofAnyone,
  withChild: true,
  // Of an event, too.
  async others({ adults, children }, { words }, check) {
    const people = { adults: Number(adults), children: Number(children) }
    const suits = ({ eventDate, child }: V1Ticket) => eventDate !== undefined && (!children || !!child)
    const isWanted = check.arrange.trafficIsFree && words === undefined
    return orOrdinary(
      async () =>
        isWanted ? [check.arrange.anyBody(await offerAmong(check, { what: 'an event', suits, people }))] : [],
      async () => [],
    )
  },
  // A request for several is proved with a child, if there is a fare (see `withChild`).
  proves: (check, people) =>
    people.adults < 3
      ? ofAnyone.proves(check, people)
      : orOrdinary(
          () => ofAnyone.proves(check, { adults: people.adults - 1, children: 1 }),
          () => ofAnyone.proves(check, people),
        ),
}
for (const table of [parkAPassenger, parkAOrder]) {
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, confirmations)) test(title, options, body)
  })
}
