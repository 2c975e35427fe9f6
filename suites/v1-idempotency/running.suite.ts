import {
  hasBrokenDown,
  isInProgress,
  isMarketRefusal,
  letGo,
  PUT_RIGHT,
  toldWhileHeld,
} from '../../fixtures/check/buying/index.ts'
import {
  idIn,
  judgeUsedElsewhere,
  othersOf,
  REFERENCE_HEADER,
  repeat,
  replayed,
  seldomSold,
  type V1Offer,
  type V1Selling,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  blocked,
  clauseFor,
  describe,
  EVERY_V1_KIND,
  type Exchange,
  independently,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

const SECONDS = 1000

/** Seconds until an unknown result becomes known, and the move of the clock for it. */
const [SETTLES, LATER] = [60, 60 + PUT_RIGHT]

/** An answer may take this many times as long as another one. */
const LATER_BY = 3

/** The number of rounds in which a repeat is refused like by a market before that is no coincidence. */
const ROUNDS = 6

const isRefused = (told: Exchange | undefined): boolean => told !== undefined && isMarketRefusal(told)

const idsOf = (answers: readonly Exchange[]): Set<string> =>
  new Set(answers.map(idIn).flatMap(id => (id === undefined ? [] : [String(id)])))

/** Returns a confirmation with an unused reference, ready to send. */
async function prepared({ arrange }: V1Check, who?: Actor, found?: V1Offer) {
  const by = who ?? (await replayed(arrange))
  const offer = found ?? (await arrange.offer({ actor: by }))
  return { by, body: { ...arrange.anyBody(offer), external_reference: arrange.reference() } }
}

/**
 * Confirms twice while the source keeps the first attempt running.
 *
 * @throws the reason why neither could be sent, for example that a live credential may not book
 */
async function confirmTwiceWhileHeld(context: V1Check, seller: Actor, find?: () => Promise<V1Offer>) {
  const { arrange, control } = context
  const { by, body } = await prepared(context, seller, await find?.())
  await control.setOutcome(by, 'book', { kind: 'hold' })
  const { told, answers } = await toldWhileHeld(
    {
      trafficIsFree: arrange.trafficIsFree,
      control,
      actor: by,
      read: async () => by.send(arrange.cheapRead('v1')),
    },
    [repeat(arrange, by, body), repeat(arrange, by, body)],
  )
  return { by, body, told, answers: [...answers] }
}

/** Returns the confirmations that are answered within a second; if one took longer, within several times that. */
async function settled(
  sent: readonly Promise<Exchange | undefined>[],
  answered?: Exchange,
): Promise<Exchange[]> {
  const wait = SECONDS + LATER_BY * (answered?.milliseconds ?? 0)
  const second = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), wait).unref())
  const answers = await Promise.all(sent.map(one => Promise.race([one, second])))
  return answers.filter(one => one !== undefined)
}

/** Decides that the reference of a confirmation that runs is free for somebody else, or for another product. */
async function judgeFreeMeanwhile(
  context: V1Check,
  by: Actor,
  { clause, selling, who }: { clause: ClauseId; selling: V1Selling; who: Actor },
): Promise<void> {
  const { arrange, control, expect } = context
  const sent: Promise<Exchange | undefined>[] = []
  const used = async () => {
    const { body } = await prepared(context, by)
    await control.setOutcome(by, 'book', { kind: 'hold' })
    sent.push(repeat(arrange, by, body).catch(() => undefined))
    return { reference: body.external_reference }
  }
  try {
    await judgeUsedElsewhere({ ...selling, expect }, who, used, clause)
  } finally {
    await letGo(control, by, sent)
  }
}

/** The operators' own clauses about it. */
const SAID = { 'v1-park-a': 'V1-PARK-A-ERR-RUNNING', 'v1-park-b': 'V1-PARK-B-ERR-RUNNING' } as const

/** Seconds that a confirmation may take (part 4.4). */
const MINUTES = 170

/** Other places, lengths and ages of a reference, for a confirmation and its repeats alike. */
const ELSEWHERE: readonly (readonly [
  where: string,
  carry: (body: JsonObject, reference: string) => [JsonObject, Record<string, string>?],
  later?: number,
])[] = [
  ['is in the header', (body, reference) => [body, { [REFERENCE_HEADER]: reference }]],
  [
    'is longer than 50 characters',
    (body, reference) => [{ ...body, external_reference: reference.padEnd(60, '-long') }],
  ],
  ['was used minutes ago', (body, reference) => [{ ...body, external_reference: reference }], MINUTES],
]

/** Decides that a confirmation that was repeated while it ran made one order. */
function claimOne({ arrange, claim }: V1Check, exchanges: readonly Exchange[]): void {
  const ids = idsOf(exchanges)
  assume(ids.size > 0, 'a held confirmation that succeeds once released')
  claim(clauseFor('V1-IDEM-NEVER-TWO', arrange.product), ids.size === 1, {
    tried: 'Repeating a confirmation while it runs, and once more afterwards',
    expected: 'one order',
    observed: `${ids.size} orders: ${[...ids].join(', ')}`,
    exchanges,
    compare: { of: 'bookings', most: 1 },
  })
}

describe('external_reference: while the first confirmation runs', () => {
  test('a repeat is refused as in progress, and only one order is made', {
    tags: product => [
      clauseFor('V1-IDEM-RUNNING', product),
      clauseFor('V1-IDEM-NEVER-TWO', product),
      ...(product in SAID ? [SAID[product as keyof typeof SAID]] : []),
    ],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, control, expect, claim } = context
    const { product } = arrange
    const running = clauseFor('V1-IDEM-RUNNING', product)
    const seller = await replayed(arrange)
    // For a group or several rooms, if such an order was just accepted.
    const find = arrange.trafficIsFree ? await seldomSold(arrange, seller) : undefined
    let held = await confirmTwiceWhileHeld(context, seller, find)
    // A market may refuse a request that is not recognised as a repeat, but not every time that the other one succeeds.
    let refused = 0
    for (let round = 1; refused < ROUNDS && isRefused(held.told); round++) {
      await letGo(control, held.by, held.answers)
      const made = idsOf((await Promise.all(held.answers)).filter(one => one !== undefined))
      // If it refuses both, another offer may be accepted.
      assume(made.size > 0 || round < ROUNDS, 'an offer that stays on sale during the check')
      if (made.size > 0) refused++
      held = await confirmTwiceWhileHeld(context, seller, find)
    }
    const { by, body, told, answers: sent } = held
    await independently(
      async () => {
        try {
          assume(refused === ROUNDS || !isRefused(told), 'an offer that stays on sale during the check')
          const clauses = product === 'v1-park-b' ? [running, SAID[product]] : [running]
          await independently(
            ...clauses.map(clause => async () => {
              claim(clause, told !== undefined, {
                tried: 'Repeating a confirmation whose first attempt is still running',
                expected: 'ORDER_CONFIRMATION_IN_PROGRESS',
                observed: 'no answer within seconds',
                exchanges: [],
              })
            }),
          )
          // Both were answered shortly after each other, so nothing was held.
          if (idIn(told!) !== undefined)
            assume(
              (await settled(sent, told)).length < 2,
              'control.setOutcome that keeps a confirmation running',
            )
          const isHeldOff = async (answer: Exchange) => {
            if (product === 'v1-hotels' || product === 'v1-transfers') {
              expect(answer, running).toHaveStatus(409)
              expect(answer, running).toSay('ORDER_CONFIRMATION_IN_PROGRESS')
            } else {
              await independently(
                async () => {
                  expect(answer, running).not.toSucceed()
                  expect(answer, running).not.toShowOrder()
                },
                async () => expect(answer, SAID[product]).toRefuseAsStated(),
              )
            }
          }
          await isHeldOff(told!)
          // Repeated with the reference in the header: a service that waits for the first attempt, or a market refusal,
          // decides nothing.
          const { external_reference: reference, ...unnamed } = body
          const once = () => repeat(arrange, by, body)
          for (const again of [once, () => repeat(arrange, by, unnamed, { [REFERENCE_HEADER]: reference })]) {
            let answer: Exchange | undefined
            for (let round = 1; round === 1 || (round <= ROUNDS && isRefused(answer)); round++) {
              const more = again().catch(() => undefined)
              sent.push(more)
              answer = (await settled([more]))[0]
            }
            if (answer !== undefined && !hasBrokenDown(answer) && idIn(answer) === undefined)
              await isHeldOff(answer)
          }
        } finally {
          await letGo(control, by, sent)
        }
      },
      async () => {
        const answers = (await Promise.all(sent)).filter(one => one !== undefined)
        const again = await repeat(arrange, by, body)
        if (answers.length === 0) throw blocked('the held confirmation ended without an answer')
        claimOne(context, [...answers, again])
      },
    )
  })

  for (const [where, carry, later] of ELSEWHERE)
    test(`a repeat whose reference ${where} makes no second order`, {
      tags: product => [clauseFor('V1-IDEM-NEVER-TWO', product)],
      kinds: EVERY_V1_KIND,
      forReal: false,
    }, async context => {
      const { arrange, control } = context
      if (later !== undefined) control.require('advanceClock')
      const { by, body } = await prepared(context)
      const { external_reference: reference, ...rest } = body
      const confirm = () => repeat(arrange, by, ...carry(rest, reference))
      await control.setOutcome(by, 'book', { kind: 'hold' })
      const read = async () => by.send(arrange.cheapRead('v1'))
      const { trafficIsFree } = arrange
      const held = { trafficIsFree, control, actor: by, read }
      const answers = [...(await toldWhileHeld(held, [confirm(), confirm()])).answers]
      if (later !== undefined) {
        await control.advanceClock(by, later)
        answers.push(confirm().catch(() => undefined))
        await settled(answers.slice(-1))
      }
      await letGo(control, by, answers)
      const given = (await Promise.all(answers)).filter(one => one !== undefined)
      claimOne(context, [...given, await confirm()])
    })

  test('a repeat after an unknown result became known returns the first order', {
    tags: product => [
      clauseFor('V1-IDEM-REPLAY-ORDER', product),
      clauseFor('V1-IDEM-REPLAY-STATUS', product),
      clauseFor('V1-IDEM-REPLAY-FLAG', product),
    ],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, control, claim, expect } = context
    control.require('advanceClock')
    control.require('counters')
    const { by, body } = await prepared(context)
    await control.setOutcome(by, 'book', { kind: 'unknown', settles: 'confirmed', afterSeconds: SETTLES })
    const before = await control.counted(by)
    const exchanges = [await repeat(arrange, by, body)]
    await control.takeBackOutcomes()
    assume(exchanges[0]!.response.status >= 400, 'control.setOutcome that keeps a result unknown')
    for (const seconds of [0, LATER, 0]) {
      if (seconds > 0) await control.advanceClock(by, seconds)
      exchanges.push(await repeat(arrange, by, body))
    }
    const after = await control.counted(by)
    assume(before !== undefined && after !== undefined, 'control that counts orders')
    const ids = idsOf(exchanges)
    claim(clauseFor('V1-IDEM-REPLAY-ORDER', arrange.product), after - before <= 1 && ids.size <= 1, {
      tried: 'Repeating a confirmation whose result was not known, before it is and afterwards',
      expected: 'one order',
      observed: `${ids.size} in the answers: ${[...ids].join(', ')}; ${after - before} by the deployment's own count`,
      exchanges,
      compare: { of: 'bookings', most: 1 },
    })
    // The deployment counts an order, so its sender must be told.
    const last = exchanges.at(-1)!
    assume(after - before === 1 && !isMarketRefusal(last), 'an order whose result is known in time')
    expect(last, clauseFor('V1-IDEM-REPLAY-STATUS', arrange.product)).toHaveStatus(200)
    expect(last, clauseFor('V1-IDEM-REPLAY-FLAG', arrange.product)).toBeFlagged('idempotent_replay')
  })

  test('another company can use the reference', {
    tags: product => [clauseFor('V1-IDEM-PER-ACCOUNT', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, act } = context
    const { kind, product } = arrange
    const by = await replayed(arrange)
    const stranger = await arrange.actor('otherCompany', { modes: { [kind]: by.modes[kind] ?? 'test' } })
    await judgeFreeMeanwhile(context, by, {
      clause: clauseFor('V1-IDEM-PER-ACCOUNT', product),
      selling: { arrange, act },
      who: stranger,
    })
  })

  test('another product can use the reference', {
    tags: product => [clauseFor('V1-IDEM-PER-PRODUCT', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, beside, control } = context
    const { product, trafficIsFree } = arrange
    control.require('setOutcome')
    const by = trafficIsFree ? await arrange.actor('live') : await replayed(arrange)
    const clause = clauseFor('V1-IDEM-PER-PRODUCT', product)
    for (const selling of arrange.drawn(othersOf(product, by, beside), 1))
      await judgeFreeMeanwhile(context, by, { clause, selling, who: by })
  })

  test('concurrent confirmations make one order', {
    tags: product => [clauseFor('V1-IDEM-NEVER-TWO', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, control, claim } = context
    arrange.requireConcurrency()
    // With a live credential, where live bookings are free.
    const seller = control.offers('mint') ? await arrange.actor('live') : undefined
    const { by, body } = await prepared(context, seller)
    const before = await control.counted(by)
    const senders = arrange.trafficIsFree ? 12 : 3
    const answers = await Promise.all(Array.from({ length: senders }, () => repeat(arrange, by, body)))
    const ids = idsOf(answers)
    if (ids.size === 0) {
      const last = answers.at(-1)!
      assume(!answers.every(isInProgress), 'a confirmation whose result is known')
      assume(!isMarketRefusal(last), 'an offer that is not refused for availability or price')
    }
    // If the first request was refused, a later one may have made the order, which is then the only one.
    answers.push(await repeat(arrange, by, body))
    const made = idsOf(answers)
    assume(made.size > 0, 'a confirmation that is accepted')
    const after = await control.counted(by)
    const counted = before === undefined || after === undefined ? 1 : after - before
    claim(clauseFor('V1-IDEM-NEVER-TWO', arrange.product), made.size === 1 && counted <= 1, {
      tried: `${senders} concurrent identical confirmations with one reference`,
      expected: 'one order',
      observed: `${made.size} in the answers: ${[...made].join(', ')}; ${counted} by the deployment's own count`,
      exchanges: answers,
      compare: { of: 'bookings', most: 1 },
    })
  })
})
