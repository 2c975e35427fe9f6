import { isMarketRefusal, isPending, pendingBooking, settle } from '../../fixtures/check/buying/index.ts'
import { offerOf, spread, type TicketAdapter } from '../../fixtures/check/products/index.ts'
import {
  type Actor,
  assume,
  type Counters,
  describe,
  EVERY_KIND,
  type Exchange,
  ifHad,
  independently,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** The number of offers tried if the market refuses them. */
const TRIES = 4

interface Counted {
  answer: Exchange
  before: Counters
  after: Counters
}

/** Books once between two counts of the deployment. A refused booking must not be counted. */
async function countedBooking(
  { arrange, control, expect }: ProductCheck,
  actor: Actor,
  items = 1,
): Promise<Counted> {
  control.require('counters')
  for (let time = 1; time <= TRIES; time++) {
    const offers =
      items > 1 ? await arrange.offersTogether(items, { actor }) : [await arrange.offer({ actor })]
    const before = await control.counters(actor)
    const answer = await actor.v2.book({ key: arrange.key(), body: arrange.anyBody(offers) })
    const after = await control.counters(actor)
    const made = bookingsIn(after, arrange.kind) - bookingsIn(before, arrange.kind)
    const expected = answer.response.status < 300 ? 1 : 0
    // A refused booking only shows that it was not counted. A pending one may have failed by now.
    if (made === 0 && (isPending(answer) || isMarketRefusal(answer))) continue
    // A booking that was pending before may have failed meanwhile, but hardly each time.
    if (made < expected && time < TRIES) continue
    expect(answer, 'V2-BOOK-COUNTED').toTell("bookings added by the deployment's own count", made, expected)
    if (isPending(answer) || isMarketRefusal(answer)) continue
    return { answer: assume.sold(answer, 'a booking'), before, after }
  }
  assume(false, `a booking that is confirmed, or refused less than ${TRIES} times`)
}

async function testBooking(check: ProductCheck): Promise<Counted> {
  await check.arrange.testCredential()
  return countedBooking(check, await check.arrange.actor())
}

/** Books with a test credential what few buy, as far as the market sells it: of all of it together there are two counts. */
async function otherTestBookings(check: ProductCheck): Promise<Counted> {
  const { arrange, control } = check
  assume(
    arrange.trafficIsFree && control.offers('mint'),
    'a deployment on which bookings cost nobody anything',
  )
  await arrange.testCredential()
  const actor = await arrange.actor()
  const tickets = async () => {
    const adapter = arrange.adapter as TicketAdapter
    return arrange.kind === 'parkA' || arrange.kind === 'parkB' ? spread(await adapter.products(actor)) : []
  }
  const before = await control.counters(actor)
  const checked = async () => arrange.checkedOffer(await arrange.offer({ actor }), actor)
  const made = []
  for (const wish of [{ seldom: 0 }, { items: 3 }, { offers: checked }])
    made.push(await ifHad(arrange.booking({ actor, ...wish })))
  for (const product of await tickets())
    made.push(
      await ifHad(
        arrange.booking({ actor, offers: () => offerOf(arrange.adapter as TicketAdapter, actor, product) }),
      ),
    )
  const pending = await ifHad(pendingBooking(check, 'confirmed'))
  if (pending !== undefined) {
    await settle(control, actor)
    await actor.v2.booking(pending.bookingId)
  }
  const last = [...made, pending].findLast(one => one !== undefined)
  assume(last !== undefined, 'a test booking of something that few buy')
  return { answer: last.exchange, before, after: await control.counters(actor) }
}

const bookingsIn = ({ bookings }: Counters, kind: ProductCheck['arrange']['kind']): number =>
  bookings[kind] ?? bookings.total ?? 0

/** Decides that a test booking left a count of its source unchanged: by kind, or the total if only that is reported. */
function claimNothing(
  { expect, arrange }: ProductCheck,
  clause: 'TEST-MODE-V2-NOTHING-REAL' | 'TEST-MODE-V2-PARK-A',
  count: 'reached' | 'issued',
  { answer, before, after }: Counted,
): void {
  const of = ({ [count]: told }: Counters): number | undefined => told?.[arrange.kind] ?? told?.total
  const [first, later] = [of(before), of(after)]
  assume(first !== undefined && later !== undefined, `control that counts ${count} bookings`)
  expect(answer, clause).toTell(`the number of ${count} at the source`, later, first)
}

describe("bookings by the deployment's own count", () => {
  test('are as many as were answered, of several items and of a live credential', {
    tags: ['V2-BOOK-COUNTED'],
    kinds: EVERY_KIND,
  }, async check => {
    await independently(
      async () => countedBooking(check, await check.arrange.actor(), 2),
      async () => countedBooking(check, await check.arrange.actor('live')),
    )
  })

  for (const [title, clause, kinds, counts] of [
    [
      'of a test credential are not made at the source',
      'TEST-MODE-V2-NOTHING-REAL',
      ['transfers', 'parkB', 'hotels'],
      ['issued', 'reached'],
    ],
    [
      'of a test credential are made at operator A, which issues and charges nothing',
      'TEST-MODE-V2-PARK-A',
      ['parkA'],
      ['issued'],
    ],
  ] as const)
    test(title, { tags: [clause, 'V2-BOOK-COUNTED'], kinds, forReal: false }, check =>
      independently(
        ...[testBooking, otherTestBookings].map(book => async () => {
          const counted = await book(check)
          await independently(...counts.map(count => () => claimNothing(check, clause, count, counted)))
        }),
      ),
    )
})
