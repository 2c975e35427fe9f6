import type { Actor } from '../../fixtures/check/actor.ts'
import { isInProgress } from '../../fixtures/check/v1/legal-answers.ts'
import { repeat, replayed } from '../../fixtures/check/v1/references.ts'
import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { assume, clauseFor, describe, EVERY_V1_KIND, test, type V1Check } from '../../fixtures/test.ts'

/** Something that every confirmation of the product is refused for. */
const spoil = (product: string, body: JsonObject): JsonObject => {
  const { bookingHolder: _, ...rest } = body
  return product === 'v1-hotels' ? rest : { ...body, total_amount: Number(body.total_amount) + 100 }
}

/** Test credentials of hotels book with every repeat; those of transfers have no reference that could be kept. */
const sender = async ({ arrange }: V1Check): Promise<Actor> =>
  arrange.product === 'v1-transfers' ? replayed(arrange) : arrange.actor()

describe('external_reference: after a confirmation that failed', () => {
  test('the reference is free for one that is put right', {
    tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, act, expect } = context
    const by = await sender(context)
    let reference = ''
    const answer = await act.confirm({
      by,
      async body() {
        reference = arrange.reference()
        const offer = await arrange.offer({ actor: by })
        const faulty = { ...spoil(arrange.product, arrange.anyBody(offer)), external_reference: reference }
        assume.refused(await repeat(arrange, by, faulty), 'a confirmation at another price, or of nobody')
        return arrange.anyBody(offer)
      },
      reference: () => reference,
    })
    expect(answer).toSucceed()
    expect(answer).not.toBeFlagged('idempotent_replay')
  })

  for (const kind of ['refused', 'providerError'] as const) {
    test(`the same confirmation is a new attempt, after ${kind === 'refused' ? 'a refusal' : 'a failure'} of the source`, {
      tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
      kinds: EVERY_V1_KIND,
    }, async context => {
      const { arrange, act, control, expect } = context
      const by = await sender(context)
      let reference = ''
      const answer = await act.confirm({
        by,
        async body() {
          reference = arrange.reference()
          const body = arrange.anyBody(await arrange.offer({ actor: by }))
          await control.setOutcome(by, 'book', { kind })
          const failed = await repeat(arrange, by, { ...body, external_reference: reference })
          // A result that is not known yet is no failure.
          assume(!isInProgress(failed), 'a confirmation that fails')
          assume(failed.response.status >= 400, 'control that lets a confirmation fail')
          return body
        },
        reference: () => reference,
      })
      expect(answer).toSucceed()
      expect(answer).not.toBeFlagged('idempotent_replay')
    })
  }
})
