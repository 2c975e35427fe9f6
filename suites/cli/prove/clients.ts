import { randomInt } from 'node:crypto'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { type BenignClient, benignClients } from '../../../fixtures/examine/clients/benign.ts'
import { type ClientDeviant, clientDeviants } from '../../../fixtures/examine/clients/index.ts'
import { type DemoTask, everyTask, performAll } from '../../../fixtures/examine/demo.ts'
import { situationsFor } from '../../../fixtures/examine/profile.ts'
import { situationNamed } from '../../../fixtures/examine/situations/index.ts'
import { steadyNow } from '../../../fixtures/ground/time.ts'
import { EXIT, type ExitCode } from '../../../fixtures/run/failure.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { makeRunFolder } from '../../../fixtures/run/run-folder.ts'
import { select } from '../../../fixtures/run/selection.ts'
import { isProven, type Matrix, matrixOf } from '../../../reports/judge/matrix.ts'
import { collected } from '../clients/examination-record.ts'
import { someOf } from './choice.ts'
import { type ProveOptions, publishProof } from './prove.ts'

/** One of the kit's clients in a situation; `variant` names what is unusual about it. */
interface ProofTask extends DemoTask {
  variant?: string
}

/** Examines the correct client, every deviant and every benign one, and prints which were caught. */
export async function proveClients(options: ProveOptions): Promise<ExitCode> {
  const { only, seed = randomInt(2 ** 31), out, json, whole = false, sample = false } = options
  const startedAt = new Date(steadyNow())
  const chosen = sample ? someOf(clientDeviants, SAMPLE, seed) : chosenBy(only)
  const folder = makeRunFolder(out, 'clients', 'examine', startedAt)
  const known = only === undefined ? benignClients : []
  const matrix = await examineAll(
    chosen,
    whole ? known : someOf(known, BENIGN_ONE_IN, seed),
    only === undefined && !sample,
  )
  folder.release()
  const document = {
    kit,
    subject: 'client',
    run: folder.run,
    ...(only === undefined ? { seed } : { only }),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date(steadyNow()).toISOString(),
    proven: isProven(matrix),
    ...matrix,
  }
  publishProof(document, folder.path, { seed, json })
  return isProven(matrix) ? EXIT.conforms : EXIT.violates
}

function chosenBy(only: string | undefined): readonly ClientDeviant[] {
  if (only === undefined) return clientDeviants
  const names = Object.fromEntries(clientDeviants.map(({ id, breaks }) => [id, breaks]))
  const wanted = select(only, CLAUSES, names)
  return clientDeviants.filter(({ id, breaks }) => id === only || wanted.matches([...breaks]))
}

/** Of a sample, one in this many deviants is tried. */
const SAMPLE = 4

/** One in this many benign clients is drawn: otherwise most situations of a proof would be theirs. */
const BENIGN_ONE_IN = 12

/** Examines deviants in the situations that show them, and other clients in all. */
async function examineAll(
  deviants: readonly ClientDeviant[],
  benign: readonly BenignClient[],
  others: boolean,
): Promise<Matrix> {
  const tasks: ProofTask[] = [
    ...deviants.map(({ id, habits, situation, product }) => ({
      variant: id,
      habits,
      product,
      situation: situationNamed(situation)!,
    })),
    ...(others ? everyTask() : []),
    ...benign.flatMap(({ id, habits, product }) =>
      situationsFor([product]).map(situation => ({
        variant: id,
        habits,
        product,
        situation,
      })),
    ),
  ]
  const { done } = await performAll(tasks, null, ({ variant, product }) =>
    variant === undefined ? product : `${variant} > ${product}`,
  )
  const checks = done.flatMap(({ task: { variant }, judged }) =>
    judged.map(({ report, ...one }) =>
      collected({ ...one, report: variant === undefined ? report : { ...report, variant } }),
    ),
  )
  return matrixOf(
    { checks, moduleErrors: [], unhandledErrors: [], ended: true },
    {
      deviants,
      benign,
      needed: new Map(),
      catalogue: CLAUSES,
      all: clientDeviants,
    },
  )
}
