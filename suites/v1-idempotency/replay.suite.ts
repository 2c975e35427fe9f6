import { independently } from '../../fixtures/check/independently.ts'
import { idIn, ordered, REFERENCE_HEADER, repeat, replayed } from '../../fixtures/check/v1/references.ts'
import { clauseFor, describe, EVERY_V1_KIND, test } from '../../fixtures/test.ts'

describe('external_reference: a repeat of a finished confirmation', () => {
  test('is answered with the same order, and says so', {
    tags: product => [
      clauseFor('V1-IDEM-REPLAY-ORDER', product),
      clauseFor('V1-IDEM-REPLAY-STATUS', product),
      clauseFor('V1-IDEM-REPLAY-FLAG', product),
      clauseFor('V1-IDEM-BODY', product),
    ],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, expect }) => {
    const by = await replayed(arrange)
    const { product } = arrange
    const { id, body } = await arrange.order({ actor: by })
    // More than once: a service may replay the first repeat right and forget the reference after it.
    for (let time = 1; time <= 2; time++) {
      const again = await repeat(arrange, by, body)
      await independently(
        async () => {
          expect(idIn(again), clauseFor('V1-IDEM-REPLAY-ORDER', product)).toBe(id)
          expect(idIn(again), clauseFor('V1-IDEM-BODY', product)).toBe(id)
        },
        async () => {
          expect(again, clauseFor('V1-IDEM-REPLAY-STATUS', product)).toHaveStatus(200)
        },
        async () => {
          expect(again, clauseFor('V1-IDEM-REPLAY-FLAG', product)).toBeFlagged('idempotent_replay')
        },
      )
    }
  })

  test('is known by the header where the body has no reference', {
    tags: product => [clauseFor('V1-IDEM-HEADER', product)],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const headers = { [REFERENCE_HEADER]: arrange.reference() }
    const first = await ordered({ arrange, act }, by, { headers })
    expect(idIn(await repeat(arrange, by, first.body, headers))).toBe(first.id)
  })

  test('is known by the body where body and header differ', {
    tags: product => [clauseFor('V1-IDEM-BODY-WINS', product)],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const fields = { external_reference: arrange.reference() }
    const inHeader = { [REFERENCE_HEADER]: arrange.reference() }
    const first = await ordered({ arrange, act }, by, { fields, headers: inHeader })
    const again = await repeat(arrange, by, first.body, { [REFERENCE_HEADER]: arrange.reference() })
    expect(idIn(again)).toBe(first.id)
    // The other way round: a header that names an order of before, beside a body that names none.
    const other = await ordered({ arrange, act }, by, {
      fields: { external_reference: arrange.reference() },
      headers: { [REFERENCE_HEADER]: fields.external_reference },
    })
    expect(other.id).not.toBe(first.id)
  })
})

describe('external_reference: what is no repeat', () => {
  test('reference of the body is there for tracking, and prevents nothing', {
    tags: product => [clauseFor('V1-IDEM-TRACKING-ONLY', product)],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const fields = { reference: arrange.reference() }
    const first = await ordered({ arrange, act }, by, { fields })
    const other = await ordered({ arrange, act }, by, { fields })
    expect(other.id).not.toBe(first.id)
  })

  test('a reference that another company has used is free', {
    tags: product => [clauseFor('V1-IDEM-PER-ACCOUNT', product)],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const { kind } = arrange
    const stranger = await arrange.actor('otherCompany', { modes: { [kind]: by.modes[kind] ?? 'test' } })
    const { id, reference } = await arrange.order({ actor: by })
    const other = await ordered({ arrange, act }, stranger, { fields: { external_reference: reference } })
    expect(other.id).not.toBe(id)
    expect(other.exchange).not.toBeFlagged('idempotent_replay')
  })

  test('a reference that was used for another product is free', {
    tags: product => [clauseFor('V1-IDEM-PER-PRODUCT', product)],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, beside, expect }) => {
    const by = await replayed(arrange)
    // Whether the tickets of both operators are one product is only implied.
    const other = beside(arrange.product === 'v1-hotels' ? 'v1-transfers' : 'v1-hotels')
    const { reference, id } = await other.arrange.order({ actor: by })
    const free = await ordered({ arrange, act }, by, { fields: { external_reference: reference } })
    expect(free.exchange).not.toBeFlagged('idempotent_replay')
    expect(free.id).not.toBe(id)
  })

  test('a test credential of transfers repeats nothing', {
    tags: ['V1-IDEM-TEST-TRANSFER-IGNORED'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    const by = await arrange.actor()
    const first = await arrange.order()
    const fields = { external_reference: first.reference }
    const other = await ordered({ arrange, act }, by, { fields })
    expect(other.exchange).not.toBeFlagged('idempotent_replay')
    expect(other.id).not.toBe(first.id)
  })
})
