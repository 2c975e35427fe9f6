import { transferQuestionOf } from '../../fixtures/check/products/index.ts'
import { claimSameCompressed, GZIP, GZIP_AMONG_OTHERS } from '../../fixtures/check/sending/index.ts'
import { bookingOf, isSurelyLarge } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  type Exchange,
  type PartnerCall,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** Enough missing fields for an error of more than 1 KB, whatever that means. */
const MANY_MISTAKES = 50

const mistakes = ({ arrange }: ProductCheck, count: number): PartnerCall => ({
  method: 'POST',
  path: '/api/v2/bookings',
  headers: { 'idempotency-key': arrange.key() },
  body: { items: Array.from({ length: count }, () => ({})) },
})

const sentAs = (call: PartnerCall, headers: Record<string, string>): PartnerCall => ({
  ...call,
  headers: { ...(call.headers as Record<string, string> | undefined), ...headers },
})

/** Enough items for a booking of more than 1 KB, whatever that means. */
const MANY_ITEMS = 5

/** Returns how many of some things fill little more than 1 KB, which is compressed as megabytes are. */
const fewOf = (count: number, { response }: Exchange): number =>
  Math.min(count, Math.ceil((count * 1200) / response.body.length))

describe('compression of v2 answers', () => {
  test('a large catalog is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-TRANSFER-CATALOG'],
    kinds: ['transfers'],
  }, async ({ v2, arrange }) => {
    const catalog = arrange.offered(await v2.transferProducts({ headers: GZIP }))
    assume.accepted(catalog, 'the catalog')
    await v2.transferProducts({ headers: GZIP_AMONG_OTHERS })
    assume(isSurelyLarge(catalog), 'a catalog of more than 1 KB')
  })

  test('a large availability is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-TRANSFER-AVAILABILITY'],
    kinds: ['transfers'],
  }, async ({ v2, arrange }) => {
    const product_ids = await arrange.adapter.productIds(await arrange.actor())
    const ask = { ...(await transferQuestionOf(arrange, 13)), product_ids }
    const availability = await v2.transferAvailability(ask, { headers: GZIP })
    // The maximum length of a range is not shown.
    assume(availability.response.status !== 400, 'two weeks of availability in one answer')
    assume.accepted(availability, 'two weeks of availability')
    // Whether there is room for a family is open.
    const forFamily = { ...ask, pax: { adult: 2, child: 1, infant: 1 } }
    await v2.transferAvailability(arrange.trafficIsFree ? forFamily : ask, { headers: GZIP })
    await v2.transferAvailability(ask, { headers: GZIP_AMONG_OTHERS })
    const [first] = product_ids
    const days = fewOf(14 * product_ids.length, availability)
    const few = { ...(await transferQuestionOf(arrange, Math.min(days, 14) - 1)), product_ids: [first!] }
    if (arrange.trafficIsFree) await v2.transferAvailability(few, { headers: GZIP })
    assume(isSurelyLarge(availability), 'an availability answer of more than 1 KB')
  })

  test('a large booking is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-BOOKING'],
    opportunistic: ['GZIP-V2-INTACT'],
    kinds: 'any',
  }, async context => {
    const { v2, act, arrange } = context
    const body = arrange.body(await arrange.offersTogether(MANY_ITEMS))
    const { answer, sent, key } = await act.booked('a large booking', { body, headers: GZIP })
    const { booking_id } = bookingOf(assume.notPending(answer)) ?? {}
    const read = (headers: typeof GZIP) => v2.booking(booking_id as number, { headers })
    assume.accepted(await read(GZIP), 'a large booking that is read')
    if (arrange.trafficIsFree) {
      await v2.book({ key, body: sent, headers: GZIP })
      const some = arrange.anyBody(await arrange.offersTogether(fewOf(MANY_ITEMS, answer)))
      await v2.book({ key: arrange.key(), body: some, headers: GZIP })
    }
    // The answer to a cancellation has the booking too. If it is refused, the end of the check cancels.
    await v2.cancel(booking_id as number, undefined, { headers: GZIP })
    // Nothing of it changes by itself any more.
    if (arrange.trafficIsFree) await claimSameCompressed(context, read, 'GZIP-V2-INTACT')
  })

  test('a large error is compressed for a client that accepts gzip alone, and unpacks to the same', {
    tags: ['GZIP-V2-ERROR', 'GZIP-V2-INTACT', 'GZIP-V2-ONLY-ASKED'],
    kinds: 'any',
  }, async context => {
    const call = mistakes(context, MANY_MISTAKES)
    const ask = async (headers: Record<string, string>) =>
      assume.refused(await context.send(sentAs(call, headers)), 'a booking without anything in its items')
    const few = fewOf(MANY_MISTAKES, await ask(GZIP))
    await context.send(sentAs(mistakes(context, few), GZIP))
    const isCompared = await claimSameCompressed(context, ask, 'GZIP-V2-INTACT')
    assume(isCompared, 'a compressed answer whose content does not change between requests')
  })
})
