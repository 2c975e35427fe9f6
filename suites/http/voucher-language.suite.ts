import { assume, describe, type Exchange, test, VOUCHER_LANGUAGES } from '../../fixtures/test.ts'

const isSame = ({ response: one }: Exchange, { response: other }: Exchange): boolean =>
  Buffer.compare(one.body, other.body) === 0

describe('the language of a voucher of API v1', () => {
  // What a voucher says is not shown: that nothing of it changes with the language is all that can be told.
  test('is that of the credential that fetches it', {
    tags: ['FEATURE-VOUCHER-LANGUAGE-V1'],
    kinds: ['v1-transfers', 'v1-park-a', 'v1-park-b'],
  }, async ({ arrange, act, control, claim }) => {
    control.require('mint')
    const { tenant, modes } = await arrange.actor()
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
    assume(isSame(first, last), 'vouchers that are the same every time they are fetched')
    const distinct = fetched.filter((one, at) => fetched.findIndex(other => isSame(one, other)) === at)
    claim('FEATURE-VOUCHER-LANGUAGE-V1', distinct.length === fetched.length, {
      tried: `Fetching one voucher with credentials set to ${VOUCHER_LANGUAGES.join(', ')}`,
      expected: 'as many documents',
      observed: `${distinct.length}, compared byte by byte`,
      exchanges: fetched,
    })
  })
})
