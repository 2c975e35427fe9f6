import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { otherDateForms } from '../../fixtures/service/index.ts'
import { addDays, assume, type Check, describe, type Exchange, test } from '../../fixtures/test.ts'

/** Returns the request with each of its dates in other forms, one at a time. Its other fields are open. */
function otherwise({ request }: Exchange): { form: string; body: unknown }[] {
  const text = Buffer.from(request.body ?? []).toString()
  const days = [...new Set(text.match(/"\d{4}-\d{2}-\d{2}"/g))]
  return days.flatMap(day =>
    otherDateForms(day.slice(1, -1)).map(form => ({
      form,
      body: JSON.parse(text.replaceAll(day, `"${form}"`)) as unknown,
    })),
  )
}

/** Repeats the request with each date in another form, which must be refused or find nothing. */
async function refusesOthers(
  { arrange, expect }: Pick<Check, 'expect'> & { arrange: Pick<Check['arrange'], 'drawn'> },
  [clause, what]: readonly [ClauseId, string],
  served: Exchange,
  ask: (body: unknown) => Promise<{ answer: Exchange; found(): Promise<number> | number }>,
): Promise<void> {
  const forms = otherwise(served)
  assume(forms.length > 0, `a request for ${what} that holds its dates as YYYY-MM-DD`)
  for (const { body } of arrange.drawn(forms, 1)) {
    const { answer, found } = await ask(body)
    const count = succeeded(answer) ? await found() : 0
    expect(answer, clause).toTell('the number of things on sale', count, 0)
  }
}

describe('a date that is not written YYYY-MM-DD', () => {
  test('is refused by ticket availability', {
    tags: ['FORMAT-V2-DATE-REFUSED-TICKETS'],
    kinds: ['parkA', 'parkB'],
  }, async check => {
    const { v2, arrange } = check
    const offer = await arrange.offer()
    const { adapter } = arrange
    const about = ['FORMAT-V2-DATE-REFUSED-TICKETS', 'tickets'] as const
    await refusesOthers(check, about, offer.exchange, async body => {
      const answer = await untilSupplierAnswers(() => v2.ticketAvailability(body), 'availability of tickets')
      return { answer, found: () => adapter.read(answer, adapter.productOf(offer)).length }
    })
  })

  test('is refused by a hotel search', {
    tags: ['FORMAT-V2-DATE-REFUSED-HOTELS'],
    kinds: ['hotels'],
  }, async check => {
    const { adapter, ...arrange } = check.arrange
    const by = await arrange.actor()
    const [destination] = await adapter.destinations(by)
    const day = adapter.day()
    // Without its zeros it is another text.
    const checkIn = Array.from({ length: 31 }, (_, at) => addDays(day, at)).find(date => date.includes('-0'))
    const ask = { destination: destination!, checkIn: checkIn! }
    const { started: served } = await adapter.start(by, ask)
    await refusesOthers(check, ['FORMAT-V2-DATE-REFUSED-HOTELS', 'hotels'], served, async body => {
      const { started, toItsEnd } = await adapter.try(by, ask, () => body)
      return { answer: started, found: async () => (await toItsEnd()).hotels.length }
    })
  })
})
