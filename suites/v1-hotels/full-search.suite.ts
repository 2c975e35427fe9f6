import { setTimeout as pause } from 'node:timers/promises'
import { askOf, finished, found, searched, type V1Room } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import { assume, describe, orOrdinary, test, untilAgreed } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/**
 * The milliseconds within which a full search certainly did not wait. The maximum wait is not promised ("can wait about
 * three minutes"), but the first answer of a paged search takes "a second or two".
 */
const NO_WAIT = 2500
/** Seconds by which the clock is moved to end the wait of a full search, and the number of moves if no answer comes. */
const WAIT = 240
const MOVES = 3
/** The number of looks at a search that said it had ended. */
const LOOKS = 8
/** Milliseconds that an answer may take after the wait has run out. */
const MOMENT = 5000

/** A family in one room, and one person in another. */
const FAMILY: readonly V1Room[] = [{ adults: 2, childrenAges: [9] }, { adults: 1 }]

describe('a full hotelSearch', () => {
  test('is answered once the search has ended', {
    tags: ['V1-HOTEL-SEARCH-FULL', 'V1-HOTEL-SEARCH-FULL-WAITS'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const ask = await askOf(context)
    const body = arrange.adapter.searchBody({ ...ask, mode: 'full' })
    const answer = await searched(context, body)
    expect(answer, 'V1-HOTEL-SEARCH-FULL').toSucceed()
    const { mode: _, ...paged } = body
    const next = { ...paged, id_search: at(answer.response.json, 'id_search') }
    // On a slow service, a search that does not wait may take this long.
    const isSlow =
      !finished(answer) && (await searched(context, next)).milliseconds * 2 >= answer.milliseconds
    assume(answer.milliseconds < NO_WAIT || !isSlow, 'a full search that takes longer than one in pages')
    const waits = finished(answer) || answer.milliseconds >= NO_WAIT
    expect(answer, 'V1-HOTEL-SEARCH-FULL-WAITS').toGive('finish: true, or a later answer', waits)
  })

  test('whose wait ran out at any destination goes on in paged mode', {
    tags: ['V1-HOTEL-SEARCH-FULL-CONTINUE'],
    kinds,
  }, async context => {
    const is = ({ answers }: { answers: readonly unknown[] }) => answers.length > 1
    await found(context, undefined, { mode: 'full', is, what: 'a full search whose wait runs out' })
  })

  // Rows judge what goes on, and that nothing is found after the end.
  test('whose wait ran out can be continued in paged mode', {
    tags: ['V1-HOTEL-SEARCH-FULL-CONTINUE'],
    kinds,
  }, async context => {
    const { arrange, control } = context
    control.require('advanceClock')
    const by = await arrange.actor('standard', { modes: {} })
    const ask = await askOf(context, { by })
    await control.setOutcome(by, 'search', { kind: 'hold' })
    const { mode: _, ...same } = arrange.adapter.searchBody(ask)
    const running = searched(context, { ...same, mode: 'full' }, by)
    let answered = false
    const ended = () => {
      answered = true
    }
    running.then(ended, ended)
    // The clock is moved after the search has started, otherwise the wait would start after it; and no further than needed,
    // since the lifetime of an id_search is not shown.
    for (let moved = 0; moved < MOVES && !answered; moved++) {
      await arrange.adapter.progress(by, 1)
      await control.advanceClock(by, WAIT)
      await Promise.race([running.catch(() => {}), pause(MOMENT)])
    }
    const full = assume.accepted(await running, 'a full search')
    await control.release(by)
    const id_search = at(full.response.json, 'id_search')
    assume(typeof id_search === 'string', 'a full search whose wait runs out')
    for (let look = 1; look <= (finished(full) ? LOOKS : 1); look++) {
      await arrange.adapter.progress(by, look)
      if (!succeeded(await searched(context, { ...same, id_search }, by))) return
    }
  })
})

describe('finish: true', () => {
  test('is sent only when all hotels were found, in both modes', {
    tags: ['V1-HOTEL-SEARCH-FULL-EVERYTHING', 'V1-HOTEL-SEARCH-FINISH-LAST'],
    kinds,
  }, async context => {
    const { adapter, ...arrange } = context.arrange
    const by = await arrange.actor()
    const is = ({ hotels }: { hotels: readonly unknown[] }) => hotels.length > 1
    // A family in two rooms: other checks cover one room, and adults only.
    const { ask } = await orOrdinary(
      () => found(context, FAMILY, { is }),
      () => found(context, FAMILY.slice(0, 1), { is }),
    )
    // On other days, and in another order each time: the market may be the reason once.
    await untilAgreed(async time => {
      const checkIn = adapter.day()
      const modes = time % 2 === 0 ? (['full', 'paged'] as const) : (['paged', 'full'] as const)
      const ids: string[] = []
      const exchanges = []
      for (const mode of modes) {
        const { hotels, last } = await adapter.follow(by, { ...ask, checkIn, mode })
        ids.push(JSON.stringify(hotels.map(({ id_hotel: id }) => id).sort()))
        exchanges.push(last)
      }
      return { agrees: ids[0] === ids[1] && ids[0] !== '[]', exchanges }
    })
  })
})
