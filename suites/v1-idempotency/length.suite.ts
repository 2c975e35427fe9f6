import { isInProgress } from '../../fixtures/check/buying/index.ts'
import {
  assumeSoldBeside,
  type Carried,
  idIn,
  judgeFree,
  judgeReplay,
  ordered,
  REFERENCE_HEADER,
  repeat,
  replay,
  replayed,
  replaysOf,
  seldomOrder,
  type V1OrderWish,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import {
  type Actor,
  assume,
  clauseFor,
  describe,
  EVERY_V1_KIND,
  independently,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_V1_KIND)

/** The number of characters of a reference that count (part 4.6), and that of a long one. */
const [COUNTED, LONG] = [50, 120] as const

const inBody = (external_reference: string): Carried => ({ fields: { external_reference } })
const inHeader = (reference: string): Carried => ({ headers: { [REFERENCE_HEADER]: reference } })

/** Returns a function that makes an order with a reference, and decides that others are free after it. */
const judgingFree =
  (selling: Parameters<typeof judgeFree>[0], by: Actor, clause: ClauseId) =>
  async (first: Carried, others: readonly Carried[]): Promise<void> => {
    const { id: than } = await ordered(selling, by, first)
    for (const carried of others) await judgeFree(selling, by, carried, { clause, than })
  }

/** Returns how an order carries a reference, in its body or in the header. */
const carrying = (reference: string, isInBody: boolean): V1OrderWish['carried'] =>
  isInBody
    ? { key: reference }
    : { key: null, headers: { [REFERENCE_HEADER]: reference }, sameReference: true }

describe('external_reference: length and characters', () => {
  for (const [which, prefix, spelled] of [
    [
      'a reference of more than 50 characters',
      'V1-IDEM-LONG-ACCEPTED',
      reference => reference.padEnd(80, 'x'),
    ],
    // A shorter one might be in use.
    ['a short reference', 'V1-IDEM-SHORT-ACCEPTED', reference => reference.slice(-7)],
  ] as const satisfies readonly (readonly [string, string, (reference: string) => string])[]) {
    test(`${which} is accepted`, {
      tags: product => [clauseFor(prefix, product)],
    }, async ({ arrange, act, expect }) => {
      const { answer } = await act.book({
        body: async () => arrange.body(await arrange.offer()),
        key: () => spelled(arrange.reference()),
      })
      assume(!isInProgress(answer), 'a confirmation whose result is known')
      expect(answer).toSucceed()
    })
  }

  test('a reference of three characters, or "0", prevents duplicates like any other', {
    tags: product => [clauseFor('V1-IDEM-REPLAY-ORDER', product)],
  }, async ({ arrange, act, control, expect }) => {
    // A company with earlier orders may have used such a short reference.
    control.require('mint')
    const by = await replayed(arrange)
    const places = [
      { fields: { external_reference: arrange.reference().slice(-3) } },
      // Many languages treat it as false.
      { fields: { external_reference: '0' } },
      { headers: { [REFERENCE_HEADER]: '0' } },
    ]
    for (const place of places) {
      const { id, body } = await ordered({ arrange, act }, by, place)
      expect(await replay(arrange, by, { ...body, ...place.fields }, place.headers)).toShowOrder(id)
    }
  })

  test('a reference of more than 50 characters is accepted by products that replay', {
    tags: product => [clauseFor('V1-IDEM-LONG-ACCEPTED', product)],
    kinds: ['v1-hotels', 'v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    await arrange.order({ actor: by })
    const long = (length: number) => arrange.reference().padEnd(length, 'x')
    const places = [
      { key: () => long(COUNTED + 1) },
      { key: null, headers: { [REFERENCE_HEADER]: long(80) }, sameReference: true },
    ]
    for (const place of arrange.drawn(places, 1)) {
      const { answer } = await act.book({
        by,
        body: async () => arrange.anyBody(await arrange.offer({ actor: by })),
        ...place,
        judged: true,
      })
      assume(!isInProgress(answer), 'a confirmation whose result is known')
      await assumeSoldBeside(arrange, by, answer)
      expect(answer).toSucceed()
    }
  })

  for (const [where, prefix, isInBody] of [
    ['the body', 'V1-IDEM-CUT', true],
    ['the header', 'V1-IDEM-CUT-HEADER', false],
  ] as const)
    test(`characters after the 50th are ignored in ${where}`, {
      tags: product => [clauseFor(prefix, product), ...replaysOf(product)],
    }, async ({ arrange, expect }) => {
      const headersOf = (reference: string) => (isInBody ? {} : { [REFERENCE_HEADER]: reference })
      /** @param sort the unusual variation of the order; -1: an ordinary one */
      const isCut = async (by: Actor, sort = -1) => {
        const stem = arrange.reference().padEnd(COUNTED, 'x')
        const carried = carrying(`${stem}one`, isInBody)
        const first = await (sort < 0
          ? arrange.order({ actor: by, carried })
          : seldomOrder(arrange, by, sort, carried))
        for (const spelled of [`${stem}y`, stem.padEnd(LONG, 'y'), stem]) {
          const body = { ...first.body, ...(isInBody && { external_reference: spelled }) }
          const again = await replay(arrange, by, body, headersOf(spelled))
          await judgeReplay({ arrange, expect }, again, first)
        }
      }
      const by = await replayed(arrange)
      await independently(
        () => isCut(by),
        async () => arrange.trafficIsFree && isCut(await arrange.actor('live')),
        ...(arrange.trafficIsFree ? arrange.unusualTurns : []).map(sort => () => isCut(by, sort)),
      )
    })

  test('all 50 characters are compared', {
    tags: product => [clauseFor('V1-IDEM-WHOLE-50', product)],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const clause = clauseFor('V1-IDEM-WHOLE-50', arrange.product)
    const areTwo = judgingFree({ arrange, act, expect }, by, clause)
    // A special character at either end counts like a letter.
    const marked = `-${arrange.reference().padEnd(COUNTED - 2, 'x')}-`
    const others = [marked.slice(0, -1), marked.slice(1)].slice(0, arrange.trafficIsFree ? 2 : 1)
    await areTwo(inBody(marked), others.map(inBody))
    if (!arrange.trafficIsFree) return
    // Also for a service that stores it as a number.
    const digits = [...`${marked}${marked}`].map(sign => sign.charCodeAt(0) % 10).join('')
    const ending = (last: 1 | 2) => inBody(`${digits.slice(0, COUNTED - 1)}${last}`)
    await areTwo(ending(1), [ending(2)])
    // Also for two confirmations at the same time.
    const written = arrange.anyBody(await arrange.offer({ actor: by }))
    const stem = arrange.reference().padEnd(COUNTED - 1, 'x')
    const answers = await Promise.all(
      [1, 2].map(last => {
        const external_reference = `${stem}${last}`
        return repeat(arrange, by, { ...written, external_reference })
      }),
    )
    const ids = answers.map(idIn)
    if (ids.every(one => one !== undefined)) expect(answers[1]!, clause).not.toShowOrder(ids[0]!)
    // A service may cut only the header, and earlier.
    const whole = arrange.reference().padEnd(COUNTED, 'x')
    const shorter = [COUNTED - 1, COUNTED - 9].map(count => inHeader(whole.slice(0, count)))
    await areTwo(inHeader(whole), shorter)
    // It counts as it is written: `%2D` is no dash.
    const short = arrange.reference().slice(0, COUNTED - 9)
    await areTwo(inBody(`${short}-.`), [inBody(`${short}%2D.`), inHeader(`${short}-%2E`)])
  })

  test('upper and lower case are different references, in body and header', {
    tags: product => [clauseFor('V1-IDEM-CASE', product)],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const clause = clauseFor('V1-IDEM-CASE', arrange.product)
    const small = arrange.reference().toLowerCase()
    const large = small.toUpperCase()
    const mixed = large.slice(0, small.length / 2) + small.slice(small.length / 2)
    assume(new Set([small, large, mixed]).size === 3, 'references that contain letters')
    // A service may change the case only in the header, or only in the body.
    await judgingFree({ arrange, act, expect }, by, clause)(inHeader(large), [small, mixed].map(inBody))
    if (!arrange.trafficIsFree) return
    // Also for unusual orders, and for a live credential.
    await independently(
      ...[undefined, ...arrange.unusualTurns].map((sort, at) => async () => {
        const seller = sort === undefined ? await arrange.actor('live') : by
        const { id } = await seldomOrder(arrange, seller, sort ?? 0, { key: `${at}${large}` })
        const { exchange } = await seldomOrder(arrange, seller, sort ?? 0, { key: `${at}${small}` })
        // It may be a replay of its own attempt whose result was not known.
        expect(exchange, clause).not.toShowOrder(id)
      }),
    )
  })

  test('the limit is counted in characters, not bytes', {
    tags: product => [clauseFor('V1-IDEM-CHARACTERS', product)],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const stem = arrange
      .reference()
      .slice(0, 30)
      .padEnd(COUNTED - 1, 'é')
    const clause = clauseFor('V1-IDEM-CHARACTERS', arrange.product)
    const areTwo = judgingFree({ arrange, act, expect }, by, clause)
    // A letter with an accent differs from the letter without.
    const others = [`${stem}2`, `${stem.replaceAll('é', 'e')}1`].slice(0, arrange.trafficIsFree ? 2 : 1)
    await areTwo(inBody(`${stem}1`), others.map(inBody))
    if (!arrange.trafficIsFree) return
    // Many databases do not distinguish four-byte characters.
    const short = arrange.reference().slice(0, 30)
    await areTwo(inBody(`${short}\u{1f3f0}`), [inBody(`${short}\u{1f3ef}`)])
  })
})
