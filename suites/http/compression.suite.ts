import { ONE_ADULT } from '../../fixtures/check/products/index.ts'
import { bookingOf } from '../../fixtures/contracts/index.ts'
import {
  addDays,
  assume,
  describe,
  header,
  type PartnerCall,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'
import { GZIP, GZIP_AMONG_OTHERS, IDENTITY, isEncoded, saysTheSame } from './encodings.ts'

/** In bytes: more than any reading of the 1 KB from which answers are compressed. */
const SURELY_LARGE = 2048

/** So many missing fields that what lists them is longer than any reading of 1 KB. */
const manyMistakes = ({ arrange }: ProductCheck): PartnerCall => ({
  method: 'POST',
  path: '/api/v2/bookings',
  headers: { 'idempotency-key': arrange.key() },
  body: { items: Array.from({ length: 50 }, () => ({})) },
})

const sentAs = (call: PartnerCall, headers: Record<string, string>): PartnerCall => ({
  ...call,
  headers: { ...(call.headers as Record<string, string> | undefined), ...headers },
})

/** Items of which the booking is longer than any reading of 1 KB. */
const MANY_ITEMS = 5

describe('compression of v2 answers', () => {
  test('a large catalog is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-TRANSFER-CATALOG'],
    kinds: ['transfers'],
  }, async ({ v2, arrange }) => {
    const catalog = arrange.offered(await v2.transferProducts({ headers: GZIP }))
    assume.accepted(catalog, 'the catalog')
    await v2.transferProducts({ headers: GZIP_AMONG_OTHERS })
    assume(catalog.response.body.length >= SURELY_LARGE, 'a catalog of more than 2 KB')
  })

  test('a large availability is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-TRANSFER-AVAILABILITY'],
    kinds: ['transfers'],
  }, async ({ v2, arrange }) => {
    const from = arrange.adapter.day()
    const ask = {
      product_ids: await arrange.adapter.productIds(await arrange.actor()),
      from,
      to: addDays(from, 13),
      pax: ONE_ADULT,
    }
    const availability = await v2.transferAvailability(ask, { headers: GZIP })
    assume.accepted(availability, 'two weeks of availability')
    await v2.transferAvailability(ask, { headers: GZIP_AMONG_OTHERS })
    assume(availability.response.body.length >= SURELY_LARGE, 'an availability of more than 2 KB')
  })

  test('a large booking is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-BOOKING'],
    kinds: 'any',
  }, async ({ v2, act, arrange }) => {
    const body = arrange.body(await arrange.offersTogether(MANY_ITEMS))
    const { answer } = await act.booked('a large booking', { body, headers: GZIP })
    const { booking_id } = bookingOf(assume.notPending(answer)) ?? {}
    assume.accepted(await v2.booking(booking_id as number, { headers: GZIP }), 'a large booking that is read')
    // Its cancellation says the booking as well; where it is refused, it is cancelled as any other.
    await v2.cancel(booking_id as number, undefined, { headers: GZIP })
  })

  test('a large error is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-ERROR'],
    kinds: 'any',
  }, async context => {
    const answer = await context.send(sentAs(manyMistakes(context), GZIP))
    assume.refused(answer, 'a booking without anything in its items')
  })

  test('a compressed answer unpacks to what is sent uncompressed', {
    tags: ['GZIP-V2-INTACT'],
    kinds: 'any',
  }, async context => {
    const { send, arrange, claim } = context
    const { call } = await arrange.probe('v2')
    let compared = 0
    for (const large of [call, manyMistakes(context)]) {
      const plain = await send(sentAs(large, IDENTITY))
      const packed = await send(sentAs(large, GZIP))
      if (!isEncoded(packed)) continue
      const { decodeError, jsonError } = packed.response
      const broken = decodeError ?? jsonError
      // What changes by itself from one answer to the next can be compared with nothing.
      const again =
        broken === undefined && !saysTheSame(plain, packed) ? await send(sentAs(large, IDENTITY)) : plain
      if (!saysTheSame(plain, again)) continue
      compared++
      claim('GZIP-V2-INTACT', broken === undefined && saysTheSame(plain, packed), {
        tried: 'Asking for the same with and without gzip',
        expected: 'the same JSON',
        observed: broken ?? 'another JSON',
        exchanges: [plain, packed],
      })
    }
    assume(compared !== 0, 'an answer that is compressed and does not change by itself')
  })

  test('nothing is compressed for a client that accepts no compression', {
    tags: ['GZIP-V2-ONLY-ASKED'],
    kinds: 'any',
  }, async context => {
    const { send, arrange, claim } = context
    const { call } = await arrange.probe('v2')
    let decided = false
    for (const large of [call, manyMistakes(context)]) {
      const plain = await send(sentAs(large, IDENTITY))
      // What is compressed for nobody says nothing.
      if (!isEncoded(plain) && !isEncoded(await send(sentAs(large, GZIP)))) continue
      decided = true
      claim('GZIP-V2-ONLY-ASKED', !isEncoded(plain), {
        tried: 'Sending Accept-Encoding: identity',
        expected: 'no Content-Encoding',
        observed: header(plain.response.headers, 'content-encoding') ?? 'none',
        exchanges: [plain],
      })
    }
    assume(decided, 'an answer that is compressed for a client that accepts gzip')
  })
})
