import { setTimeout as pause } from 'node:timers/promises'
import { askOf, finished, hotelsIn, searched, type V1Room } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/**
 * The milliseconds within which a full search certainly did not wait. The maximum wait is not promised ("can wait about
 * three minutes"), but the first answer of a paged search takes "a second or two".
 */
const NO_WAIT = 2500
/** Seconds by which the clock is moved to end the wait of a full search. */
const WAIT = 240
/** The number of moves if no answer comes. */
const MOVES = 3
/** The maximum number of places searched for one whose wait runs out. */
const MOST_PLACES = 8
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
    // Searches of one stay differ in their rooms and mode alone.
    const body = arrange.adapter.searchBody(await askOf(context))
    const search = async (occupancies: readonly V1Room[], mode: object) =>
      searched(context, { ...body, occupancies, ...mode })
    let answer = await search(FAMILY, { mode: 'full' })
    // The maximum number of rooms is not shown: if a paged search for both is refused too, one room is searched.
    if (!succeeded(answer) && !succeeded(await search(FAMILY, {})))
      answer = await search(FAMILY.slice(1), { mode: 'full' })
    expect(answer, 'V1-HOTEL-SEARCH-FULL').toSucceed()
    const ended = finished(answer)
    if (!ended && answer.milliseconds >= NO_WAIT) {
      // On a slow service, a search that does not wait may take this long.
      const paged = await search(FAMILY.slice(1), {})
      assume(
        answer.milliseconds > 2 * paged.milliseconds,
        'an unfinished full search that takes longer than the first answer of a paged search',
      )
    }
    const waits = ended || answer.milliseconds >= NO_WAIT
    expect(answer, 'V1-HOTEL-SEARCH-FULL-WAITS').toGive('finish: true, or a later answer', waits)
  })

  test('whose wait ran out at any destination can be continued in paged mode', {
    tags: ['V1-HOTEL-SEARCH-FULL-CONTINUE'],
    kinds,
  }, async context => {
    const { arrange } = context
    const places = await arrange.adapter.places(await arrange.actor())
    let unfinished = 0
    for (const { id: place } of places.slice(0, arrange.realIsFree ? MOST_PLACES : 1)) {
      if (unfinished > 0 && !arrange.trafficIsFree) break
      const { mode, ...same } = arrange.adapter.searchBody({ ...(await askOf(context)), place, mode: 'full' })
      const full = await searched(context, { ...same, mode })
      if (!succeeded(full) || at(full.response.json, 'finish') !== false) continue
      unfinished++
      const next = await searched(context, { ...same, id_search: at(full.response.json, 'id_search') })
      context.expect(next, 'V1-HOTEL-SEARCH-FULL-CONTINUE').toSucceed()
    }
    assume(unfinished > 0, 'a full search whose wait runs out')
  })

  test('whose wait ran out can be continued in paged mode', {
    tags: ['V1-HOTEL-SEARCH-FULL-CONTINUE'],
    kinds,
  }, async context => {
    const { arrange, expect, control } = context
    control.require('advanceClock')
    const by = await arrange.actor('standard', { modes: {} })
    const ask = await askOf(context, { by })
    await control.setOutcome(by, 'search', { kind: 'hold' })
    const body = arrange.adapter.searchBody({ ...ask, mode: 'full' })
    const running = searched(context, body, by)
    let answered = false
    const ended = () => {
      answered = true
    }
    running.then(ended, ended)
    // The clock is moved after the search has started, otherwise the wait would start after it; and no further than needed,
    // since the lifetime of an id_search is not shown.
    let moved = 0
    for (; moved < MOVES && !answered; moved++) {
      await arrange.adapter.progress(by, 1)
      await control.advanceClock(by, WAIT)
      await Promise.race([running.catch(() => {}), pause(MOMENT)])
    }
    const full = assume.accepted(await running, 'a full search')
    await control.release(by)
    const id_search = at(full.response.json, 'id_search')
    assume(typeof id_search === 'string', 'a full search whose wait runs out')
    const { mode: _, ...same } = body
    if (finished(full)) {
      // Sources that were given up must not add hotels later.
      for (let look = 1; look <= LOOKS; look++) {
        await arrange.adapter.progress(by, look)
        const later = await searched(context, { ...same, id_search }, by)
        if (!succeeded(later)) break
        const isAll = hotelsIn(later).length <= hotelsIn(full).length
        expect(later, 'V1-HOTEL-SEARCH-FULL-CONTINUE').toGive('as many hotels as at its end', isAll)
      }
    }
    assume(at(full.response.json, 'finish') === false, 'a full search whose wait runs out')
    const next = await searched(context, { ...same, id_search }, by)
    // An answer that was already on its way does not need another clock move, which could make its search expire.
    assume(moved === 1 || succeeded(next), 'a full search whose wait runs out when the clock is moved once')
    expect(next, 'V1-HOTEL-SEARCH-FULL-CONTINUE').toSucceed()
  })
})
