import { checksOf, type Requests } from '../../fixtures/check/requests/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { errorCode, type JsonObject } from '../../fixtures/contracts/index.ts'
import { bookingItem, bookingRequest, offerCheck } from '../../fixtures/service/index.ts'
import { describe, EVERY_KIND, type ProductCheck, test } from '../../fixtures/test.ts'

type V2Requests = Requests<(typeof EVERY_KIND)[number], ProductCheck>

/** Judges that a refusal names the path of the missing field, with the code REQUIRED. */
const toldAsRequired = (path: ClauseId): NonNullable<V2Requests['lacking']> => ({
  tags: [path, 'V2-VALIDATION-REQUIRED', 'V2-ERR-STATUS-VALIDATION-ERROR'],
  judge({ expect }, answer, field) {
    expect(answer, path).toReportField(field)
    expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(field, 'REQUIRED')
  },
})

/** Offer checks and bookings with missing fields, which must be named by their paths. */
const requests: V2Requests = {
  kinds: EVERY_KIND,
  most: 2,
  refusal: 'the error VALIDATION_ERROR',
  isRefused: answer => answer.response.status >= 400 && errorCode(answer) === 'VALIDATION_ERROR',
  valid: async ({ arrange }, { adults: items }) =>
    arrange.anyBody(items === 1 ? [await arrange.offer()] : await arrange.offersTogether(items)),
  send: ({ v2, arrange }, body) => v2.book({ key: arrange.key(), body }),
  async proves({ act, arrange }, { adults: items }) {
    const body = async () => arrange.anyBody(await arrange.offersTogether(items))
    await act.booked('the same booking with everything in it', items === 1 ? {} : { body })
  },
  takes: async ({ act }, body) => (await act.book({ body })).answer,
  lacking: toldAsRequired('V2-VALIDATION-PATH'),
}

const checks: V2Requests = {
  ...requests,
  valid: async ({ arrange }): Promise<JsonObject> => ({ offer_id: (await arrange.offer()).offerId }),
  send: ({ v2 }, body) => v2.checkOffer(body),
  proves: async ({ act, arrange }) =>
    void (await act.checked('the same check with its offer_id', await arrange.offer())),
  takes: async ({ v2 }, make) => v2.checkOffer(await make()),
  lacking: toldAsRequired('V2-OFFER-CHECK-REQUIRED-FIELD'),
}

const bookings: V2Requests = {
  ...requests,
  // The code of an entry about the whole list is open.
  lacking: {
    tags: ['V2-VALIDATION-PATH', 'V2-ERR-STATUS-VALIDATION-ERROR'],
    judge: ({ expect }, answer, path) => expect(answer, 'V2-VALIDATION-PATH').toReportField(path),
  },
}

for (const [table, how] of [
  [offerCheck, checks],
  [bookingRequest, bookings],
  [bookingItem, requests],
] as const) {
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, how)) test(title, options, body)
  })
}
