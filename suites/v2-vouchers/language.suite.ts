import { claimLanguages, sameFile } from '../../fixtures/check/buying/index.ts'
import {
  type Actor,
  assume,
  type BookingId,
  describe,
  EVERY_KIND,
  type Exchange,
  independently,
  VOUCHER_LANGUAGES as LANGUAGES,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

describe('the language of a voucher', () => {
  // The content of a voucher is not shown, so only equality can be judged. Whether its language is that of the buyer or of
  // the reader is open.
  test('depends only on the credential that fetches it', {
    tags: ['FEATURE-VOUCHER-LANGUAGE'],
    kinds: EVERY_KIND,
    forReal: true,
  }, async ({ v2, arrange, control, expect }) => {
    control.require('mint')
    const actor = await arrange.actor()
    const { bookingId } = await arrange.voucherReady(await arrange.booking())
    const first = assume.accepted(await v2.voucher(bookingId), 'a voucher')
    const again = assume.accepted(await v2.voucher(bookingId), 'the same voucher once more')
    assume(sameFile(first, again), 'vouchers that are identical each time they are fetched')
    const fetched: Exchange[] = []
    for (const voucherLanguage of LANGUAGES) {
      const colleague = await colleagueReading(arrange, actor, voucherLanguage)
      const answer = await colleague.v2.voucher(bookingId)
      assume(answer.response.status === 200, 'a voucher that another credential of the company may fetch')
      fetched.push(answer)
    }
    const last = assume.accepted(await v2.voucher(bookingId), 'the same voucher at last')
    assume(sameFile(first, last), 'vouchers that stay identical while others are fetched')
    claimLanguages({ expect }, 'FEATURE-VOUCHER-LANGUAGE', fetched)
  })

  test('is set by the credential and by nothing in the request', {
    tags: ['FEATURE-VOUCHER-LANGUAGE'],
    kinds: EVERY_KIND,
    forReal: true,
  }, async ({ arrange, control, expect }) => {
    const actor = await arrange.actor()
    const readBy = async (reader: Actor, bookingId: BookingId): Promise<void> => {
      const { voucherLanguage } = reader.features
      const other = LANGUAGES.find(language => language !== voucherLanguage)!
      for (const headers of [{}, { 'accept-language': other }]) {
        const answer = await reader.v2.voucher(bookingId, { headers })
        assume(answer.response.status === 200, 'a voucher that the credential may fetch')
        const read = arrange.languageOf(answer)
        expect(answer, 'FEATURE-VOUCHER-LANGUAGE').toTell('shapes.vouchers.language', read, voucherLanguage)
      }
    }
    if (control.offers('mint')) {
      let other = actor
      for (const language of LANGUAGES) {
        const booker = await colleagueReading(arrange, actor, language)
        const booking = await arrange.booking({ actor: booker })
        const { bookingId } = await arrange.voucherReady(booking, booker)
        // Another reader in between must make no difference.
        await other.v2.voucher(bookingId)
        await readBy(booker, bookingId)
        other = booker
      }
      return
    }
    const { voucherLanguage } = actor.features
    assume(
      voucherLanguage !== undefined,
      'a credential with a declared voucher language (features, or TSS_FEATURES in .env)',
    )
    await independently(
      async () => readBy(actor, (await arrange.voucherReady(await arrange.booking())).bookingId),
      // Vouchers may all be in the language of the first reader.
      async () => {
        if (!arrange.trafficIsFree && arrange.kind !== 'transfers') return
        const stranger = await arrange.actor('otherCompany')
        if ([undefined, voucherLanguage].includes(stranger.features.voucherLanguage)) return
        const booking = await arrange.booking({ actor: stranger })
        await readBy(stranger, (await arrange.voucherReady(booking, stranger)).bookingId)
      },
    )
  })
})

/** Returns a second credential of a company, with its own voucher language. */
const colleagueReading = (
  arrange: ProductCheck['arrange'],
  { tenant, modes }: Actor,
  voucherLanguage: (typeof LANGUAGES)[number],
): Promise<Actor> =>
  arrange.actor('otherCompany', { companyOf: tenant, features: { voucherLanguage }, modes })
