import { claimLanguages, sameFile } from '../../fixtures/check/buying/index.ts'
import {
  assume,
  describe,
  type Exchange,
  independently,
  test,
  VOUCHER_LANGUAGES,
} from '../../fixtures/test.ts'

const PRINTED = {
  'v1-transfers': 'V1-TRANSFER-PDF',
  'v1-park-a': 'V1-PARK-A-PDF',
  'v1-park-b': 'V1-PARK-B-PDF',
} as const

describe('the language of a voucher of API v1', () => {
  // The content of a voucher is not shown, so only equality can be judged. Whether its language is that of the buyer or of
  // the reader is open.
  test('is the language set for the credential', {
    tags: ['FEATURE-VOUCHER-LANGUAGE-V1', 'V1-*-PDF'],
    kinds: ['v1-transfers', 'v1-park-a', 'v1-park-b'],
  }, async ({ arrange, act, control, expect }) => {
    control.require('mint')
    const { tenant, modes, features } = await arrange.actor()
    // Also bookings of accounts with other languages.
    const bought: [(typeof VOUCHER_LANGUAGES)[number], Exchange][] = []
    for (const voucherLanguage of VOUCHER_LANGUAGES) {
      if (voucherLanguage === features.voucherLanguage) continue
      const actor = await arrange.actor('otherCompany', { features: { voucherLanguage }, modes })
      const own = await act.voucher(await arrange.order({ actor }), actor)
      expect(own, PRINTED[arrange.product]).toBePdf()
      bought.push([voucherLanguage, own])
    }
    const order = await arrange.order()
    const first = assume.accepted(await act.voucher(order), 'a voucher')
    const fetched: Exchange[] = []
    for (const voucherLanguage of VOUCHER_LANGUAGES) {
      const account = { companyOf: tenant, features: { voucherLanguage }, modes }
      const colleague = await arrange.actor('otherCompany', account)
      const answer = await arrange.adapter.voucher!(colleague, order.id)
      assume(answer.response.status === 200, 'a voucher that another credential of the company may fetch')
      fetched.push(answer)
    }
    const last = assume.accepted(await act.voucher(order), 'the same voucher at last')
    assume(sameFile(first, last), 'vouchers that are identical each time they are fetched')
    await independently(
      async () => claimLanguages({ expect }, 'FEATURE-VOUCHER-LANGUAGE-V1', fetched),
      async () => {
        for (const [language, answer] of bought) {
          const read = arrange.languageOf(answer)
          expect(answer, 'FEATURE-VOUCHER-LANGUAGE-V1').toTell('shapes.vouchers.language', read, language)
        }
      },
    )
  })
})
