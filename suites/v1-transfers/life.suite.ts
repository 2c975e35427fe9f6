import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { askToCancel, idIn, repeat, unknownIdLike } from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  type BookingId,
  createStepMaker,
  describe,
  test,
  type V1Check,
  type WalkStep,
  walkThrough,
} from '../../fixtures/test.ts'

/** The model of one order. Only steps of the walk change it, never an answer. */
interface TransferLife {
  state: 'none' | 'ordered' | 'cancelled'
}

/** The order of a walk. */
interface Walk {
  actor: Actor
  id?: BookingId
  /** As sent, with the reference. */
  body?: JsonObject
}

/** Returns the steps of a walk. A step has a precondition, judges the answer, and updates the model. */
function stepsOf({
  arrange,
  act,
  control,
  expect,
}: V1Check<'v1-transfers'>): readonly WalkStep<TransferLife, Walk>[] {
  const { step, isIn } = createStepMaker<TransferLife, Walk>()
  const { adapter } = arrange
  const exists = isIn('ordered', 'cancelled')
  const isTest = ({ modes }: Actor) => modes.transfers !== 'live'

  const order = step('order', isIn('none'), async (life, walk) => {
    const { id, body } = await arrange.order({ actor: walk.actor })
    Object.assign(walk, { id, body })
    life.state = 'ordered'
  })

  const orderAgain = step('order again', isIn('ordered'), async (_, { actor, id, body }) => {
    const again = await untilSupplierAnswers(() => repeat(arrange, actor, body), 'a repeat')
    // Test credentials ignore the reference, so the repeat is a new order, which the market may refuse.
    if (!isTest(actor)) expect(again, 'V1-IDEM-REPLAY-ORDER-TRANSFER').toShowOrder(id)
    else if (idIn(again) !== undefined) expect(again, 'V1-IDEM-TEST-TRANSFER-IGNORED').not.toShowOrder(id)
  })

  const download = step('download', exists, async ({ state }, { actor, id }) => {
    const answer = await act.voucher({ id }, actor)
    if (state === 'ordered') expect(answer, 'V1-TRANSFER-PDF').toBePdf()
    // The voucher of a cancelled live order is not shown.
    else if (isTest(actor)) expect(answer, 'V1-TRANSFER-PDF-CANCELLED-TEST').toHaveStatus(410)
  })

  const cancel = step('cancel', isIn('ordered'), async (life, { actor, id }) => {
    expect(await act.cancel({ id }, actor), 'V1-TRANSFER-CANCEL').toSucceed()
    life.state = 'cancelled'
  })

  const cancelAgain = step('cancel again', isIn('cancelled'), async (_, { actor, id }) => {
    expect(await askToCancel({ adapter, by: actor }, id), 'V1-TRANSFER-CANCEL-TWICE').toHaveStatus(400)
  })

  const cancelAnother = step('cancel one that does not exist', exists, async (_, { actor, id }) => {
    const answer = await askToCancel({ adapter, by: actor }, unknownIdLike(id))
    expect(answer, 'V1-TRANSFER-CANCEL-UNKNOWN').toHaveStatus(400)
  })

  const foreign = step('cancel as another company', exists, async (_, { id }) => {
    const by = await arrange.actor('otherCompany')
    // The owner's download or cancellation shows that this one did nothing.
    expect(await askToCancel({ adapter, by }, id), 'V1-TRANSFER-CANCEL-FOREIGN').toHaveStatus(400)
  })

  return [
    order,
    orderAgain,
    download,
    cancel,
    cancelAgain,
    cancelAnother,
    ...(control.offers('mint') ? [foreign] : []),
  ]
}

/** Walks that together visit every transition. Steps that the deployment cannot perform are skipped. */
const TOURS: readonly (readonly string[])[] = [
  ['order', 'download', 'download', 'order again', 'cancel', 'download', 'cancel again', 'download'],
  [
    'order',
    'cancel as another company',
    'download',
    'cancel one that does not exist',
    'cancel',
    'cancel again',
  ],
]

describe('the life of a v1 transfer order', () => {
  test('every sequence of calls gets the answers of its state', {
    tags: [
      'V1-TRANSFER-PDF',
      'V1-TRANSFER-PDF-CANCELLED-TEST',
      'V1-TRANSFER-CANCEL',
      'V1-TRANSFER-CANCEL-TWICE',
    ],
    opportunistic: [
      'V1-TRANSFER-CANCEL-UNKNOWN',
      'V1-TRANSFER-CANCEL-FOREIGN',
      'V1-IDEM-REPLAY-ORDER-TRANSFER',
      'V1-IDEM-TEST-TRANSFER-IGNORED',
    ],
    kinds: ['v1-transfers'],
  }, async context => {
    const { arrange, holds } = context
    await walkThrough(holds, stepsOf(context), { tours: TOURS, longest: 7 }, async walk =>
      walk({ state: 'none' }, { actor: await arrange.actor() }),
    )
  })
})
