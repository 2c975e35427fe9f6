import { clientDeviants } from '../../../fixtures/examine/clients/index.ts'
import { everyTask, performAll } from '../../../fixtures/examine/demo.ts'
import { situationNamed } from '../../../fixtures/examine/situations/index.ts'
import { productIds } from '../../../fixtures/ground/products.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { examinationRecord } from '../clients/examination-record.ts'

/** Examines the correct client of the kit, or one of its deviants, and writes its traffic into a folder. */
export async function examined(folder: string, wanted?: string): Promise<RunRecord> {
  const deviant = clientDeviants.find(({ id }) => id === wanted)
  const tasks =
    deviant === undefined
      ? everyTask()
      : [...new Set(['normal-day', deviant.situation])].map(id => ({
          product: deviant.product,
          situation: situationNamed(id)!,
          habits: deviant.habits,
        }))
  const startedAt = new Date()
  const { baseUrl, done } = await performAll(tasks, folder, undefined, deviant === undefined)
  return examinationRecord({
    judged: done.flatMap(({ judged }) => judged),
    run: 'examined',
    baseUrl,
    products: deviant === undefined ? productIds : [deviant.product],
    whole: deviant === undefined,
    startedAt,
    finishedAt: new Date(),
  })
}
