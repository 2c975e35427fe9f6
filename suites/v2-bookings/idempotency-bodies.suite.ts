import { claimKeyRefused, type StandingBooking } from '../../fixtures/check/buying/index.ts'
import { offersWithOptions } from '../../fixtures/check/products/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { errorCode, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_SORT,
  independently,
  orOrdinary,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

type Item = JsonObject & { travelers?: JsonObject[]; logistics?: JsonObject; options?: JsonObject }

/** Other valid values for every traveler field except the first name. */
const OTHERWISE: JsonObject = {
  last_name: 'Somebodyelse',
  phone: '+34600000077',
  nationality: 'PT',
  birth_date: '1981-07-23',
}

/** Makes a booking with one item for two people, so that there is a traveler besides the lead; for one if none is sold. */
const bookingOfTwo = ({ arrange }: ProductCheck): Promise<StandingBooking> => {
  const ordinary = () => arrange.booking()
  // A room is for two anyway.
  if (arrange.kind === 'hotels') return ordinary()
  const offers = () => arrange.offer({ pax: { adult: 2, child: 0, infant: 0 } })
  return orOrdinary(() => arrange.booking({ offers }), ordinary)
}

/** Repeats a key with a change at one place of the body. */
async function reusedWith(
  context: ProductCheck,
  first: StandingBooking,
  [what, clause]: readonly [what: string, clause: ClauseId],
  change: (items: Item[]) => void,
): Promise<void> {
  const body = structuredClone<JsonObject>(first.body)
  change(body.items as Item[])
  const reused = await context.v2.book({ key: first.key, body })
  await claimKeyRefused(context, clause, { what, first, reused })
}

/** Returns another plausible value. Whether the product accepts it is open. */
function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string') return value
  const changed = value.replace(/\d(?=\D*$)/, one => (one === '7' ? '8' : '7'))
  return changed === value
    ? value.replace(/[a-z](?=[^a-z]*$)/i, one => (/n/i.test(one) ? 'm' : 'n'))
    : changed
}

/**
 * Repeats the key of a booking of two items, each time with another value of one field in the second item's logistics or
 * options.
 */
async function reusedWithOther(
  context: ProductCheck,
  part: 'logistics' | 'options',
  clause: ClauseId,
  find = () => context.arrange.offersTogether(2),
): Promise<void> {
  const { v2, arrange } = context
  // Found out before anything is booked.
  const [sent] = arrange.anyBody([(await find())[0]]).items as Item[]
  const fields = Object.keys(sent?.[part] ?? {}).filter(
    field => other(sent![part]![field]) !== sent![part]![field],
  )
  assume(fields.length > 0, `items that are booked with ${part}`)
  const first = await arrange.booking({ offers: find })
  await independently(
    ...arrange.drawn(fields, 2).map(field => async () => {
      const body = structuredClone<JsonObject>(first.body)
      const item = (body.items as Item[]).at(-1)!
      item[part] = { ...item[part], [field]: other(item[part]?.[field]) }
      const reused = await v2.book({ key: first.key, body })
      // An invalid value is a second fault, and which one is reported first is open.
      assume(errorCode(reused) !== 'VALIDATION_ERROR', `another ${field} that the product takes`)
      await claimKeyRefused(context, clause, { what: `${field} of the second item`, first, reused })
    }),
  )
}

describe('Idempotency-Key: the same key with another body', () => {
  test('another external_reference, traveler or offer is refused, and the booking of the key stays', {
    tags: [
      'V2-IDEM-REUSED-REFERENCE',
      'V2-IDEM-REUSED-TRAVELER',
      'V2-IDEM-REUSED-OFFER',
      'V2-IDEM-REUSED-KEEPS',
      'V2-ERR-STATUS-IDEMPOTENCY-KEY-REUSED',
    ],
    kinds: EVERY_SORT,
  }, async context => {
    const { v2, arrange, expect } = context
    const two = await arrange.offer()
    const first = await arrange.booking({ referenced: true })
    const { offers } = first
    const reference = textOf(first.body.external_reference)
    // Of the same length.
    const otherReference = reference.replaceAll(/./gu, one => (one === 'o' ? 'x' : 'o'))
    const otherTraveler = structuredClone<JsonObject>(first.body)
    const [item] = otherTraveler.items as Item[]
    const [traveler] = item?.travelers ?? []
    if (traveler !== undefined) traveler.first_name = 'Somebodyelse'
    const { external_reference: _, ...unreferenced } = first.body
    const capitals = reference.replaceAll(/[a-z]/g, one => one.toUpperCase())
    const references: [string, JsonObject][] = [
      ['external_reference', arrange.anyBody(offers, otherReference)],
      ['missing external_reference', unreferenced],
    ]
    if (capitals !== reference)
      references.push(['external_reference in capitals', arrange.anyBody(offers, capitals)])
    await independently(
      ...(
        [
          ...arrange
            .drawn(references, 1)
            .map(([what, body]) => [what, 'V2-IDEM-REUSED-REFERENCE', body] as const),
          ['traveler', 'V2-IDEM-REUSED-TRAVELER', otherTraveler],
          ['offer', 'V2-IDEM-REUSED-OFFER', arrange.anyBody([two], reference)],
        ] as const
      ).map(([what, clause, body]) => async () => {
        assume(what !== 'traveler' || traveler !== undefined, 'a product that is booked with travelers')
        const reused = await v2.book({ key: first.key, body })
        await claimKeyRefused(context, clause, { what, first, reused })
      }),
      async () => {
        const again = await v2.book({ key: first.key, body: first.body })
        expect(again, 'V2-IDEM-REUSED-KEEPS').toBeTheBookingOf(first.exchange)
        expect(again, 'V2-IDEM-REUSED-KEEPS').toHaveStatus(200)
      },
    )
  })
})

describe('Idempotency-Key: a body that differs in one place', () => {
  test('is another body where a traveler of a later item is another, or there is no last item', {
    tags: ['V2-IDEM-REUSED-TRAVELER', 'V2-IDEM-REUSED-OFFER', 'V2-IDEM-REUSED-REFERENCE'],
    kinds: EVERY_SORT,
  }, async context => {
    const { arrange } = context
    const ofTwo = () => arrange.booking({ items: 2 })
    const first = await (arrange.trafficIsFree
      ? orOrdinary(() => arrange.booking({ items: 3 }), ofTwo)
      : ofTwo())
    const [, second] = [first.offers].flat()
    // Whether rooms of two searches can be combined is open. Other products may need another number of travelers.
    const third =
      arrange.kind === 'hotels' || !arrange.trafficIsFree
        ? undefined
        : await arrange.offer({ pax: second?.pax })
    await independently(
      ...(first.body.items as Item[]).slice(1).map((_, before) => () => {
        const about = [`traveler of items[${before + 1}]`, 'V2-IDEM-REUSED-TRAVELER'] as const
        return reusedWith(context, first, about, items => {
          const traveler = items[before + 1]?.travelers?.[0]
          assume(traveler !== undefined, 'a product that is booked with travelers')
          traveler.first_name = 'Somebodyelse'
        })
      }),
      () =>
        reusedWith(context, first, ['number of offers', 'V2-IDEM-REUSED-OFFER'], items => {
          items.pop()
        }),
      async () => {
        if (third === undefined) return
        for (const place of [1, -1])
          await reusedWith(context, first, ['later offer', 'V2-IDEM-REUSED-OFFER'], items => {
            items.at(place)!.offer_id = third.offerId
          })
      },
      async () => {
        const what = 'external_reference, which there was none of at first'
        const reused = await context.v2.book({
          key: first.key,
          body: { ...first.body, external_reference: 'our-own' },
        })
        assume(first.body.external_reference === undefined, 'a booking without a reference')
        await claimKeyRefused(context, 'V2-IDEM-REUSED-REFERENCE', { what, first, reused })
      },
    )
  })

  test('is another body where anything else of a traveler is another', {
    tags: ['V2-IDEM-REUSED-TRAVELER'],
    kinds: EVERY_SORT,
  }, async context => {
    const first = await bookingOfTwo(context)
    const travelers = (first.body.items as Item[])[0]?.travelers ?? []
    const traveler = travelers.at(-1) ?? {}
    const others = Object.entries(OTHERWISE).filter(
      ([field, value]) => ![undefined, value].includes(traveler[field]),
    )
    assume(others.length > 0, 'a product that is booked with travelers')
    await independently(
      ...context.arrange.drawn(others, 2).map(([field, value]) => () => {
        const about = [`${field} of a traveler`, 'V2-IDEM-REUSED-TRAVELER'] as const
        return reusedWith(context, first, about, ([item]) => {
          item!.travelers!.at(-1)![field] = value
        })
      }),
    )
  })

  test('is another body where anything of the logistics of a transfer is another, of the second item, too', {
    tags: ['V2-IDEM-REUSED-LOGISTICS'],
    kinds: ['transfers'],
  }, async context => {
    await reusedWithOther(context, 'logistics', 'V2-IDEM-REUSED-LOGISTICS')
  })

  test('is another body where an option is another, of the second item, too', {
    tags: ['V2-IDEM-REUSED-OPTIONS'],
    // The options of other products are not shown, and may be none.
    kinds: ['parkB'],
  }, async context => {
    const { adapter, actor, offersTogether } = context.arrange
    const chosen = async () => (await offersWithOptions(adapter, await actor())).offers
    const find = () => orOrdinary(chosen, () => offersTogether(2))
    await reusedWithOther(context, 'options', 'V2-IDEM-REUSED-OPTIONS', find)
  })
})
