import { clientDeviants } from '../../fixtures/examine/clients/index.ts'
import { type DemoTask, everyTask, performAll } from '../../fixtures/examine/demo.ts'
import { situationsFor } from '../../fixtures/examine/profile.ts'
import { situationNamed, situations } from '../../fixtures/examine/situations/index.ts'
import type { Situation } from '../../fixtures/examine/situations/situation.ts'
import { nearest } from '../../fixtures/nearest.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { print, say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, type Failure, wrongCall } from '../../fixtures/run/failure.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../fixtures/run/run-folder.ts'
import { type ProductId, productIds } from '../../fixtures/service/products.ts'
import { publish } from '../../reports/folder/write.ts'
import { outcomeOf } from '../../reports/judge/outcome.ts'
import { writeHar } from '../../reports/render/formats.ts'
import { namesAmong } from './arguments.ts'
import type { ExamineOptions } from './conduct-examination.ts'
import { examinationRecord } from './examination-record.ts'
import { situationList } from './situation-list.ts'

/** Examines a client: the kit's own as a demonstration, or somebody else's. */
export async function examine(options: ExamineOptions): Promise<ExitCode> {
  if (options.list === true) {
    const products = options.products === undefined ? productIds : productsOf(options.products)
    print(situationList(situationsFor(products)))
    const minutes = products.map(
      product => `${product} ${situationsFor([product]).reduce((sum, one) => sum + one.minutes, 0)}`,
    )
    print(
      `\nMinutes in all: about ${minutes.join(', ')}; tickets of operator A wait a minute more for each voucher.\n`,
    )
    return EXIT.conforms
  }
  if (options.demo !== undefined && options.demo !== false) {
    const narrowed = (['situation', 'products', 'exec'] as const).find(name => options[name] !== undefined)
    if (narrowed !== undefined)
      throw wrongCall(
        `--${narrowed} says what to examine of your own client, and --demo shows all of the client that the kit brings: leave one out.`,
      )
    return demonstrate(options.demo, options)
  }
  const { conductExamination } = await import('./conduct-examination.ts')
  const products = productsOf(options.products)
  const chosen = situationsOf(options.situation) ?? situationsFor(products, options.patience)
  const own = situationsFor(products)
  const [other] = chosen.filter(one => !own.includes(one))
  if (other !== undefined)
    throw wrongCall(
      `The situation ${other.id} is about ${other.products.join(', ')}, and --products says that the client uses ${products.join(', ')}: name one of those with --products, or another situation.`,
    )
  return conductExamination({ ...options, products, chosen, whole: options.situation === undefined })
}

/** Returns the products with these names. @throws {Failure} if one is unknown */
function productsOf(names: readonly string[] = productIds.filter(id => id.startsWith('v2'))): ProductId[] {
  return namesAmong(productIds, 'product', names, ' with --products')
}

function situationsOf(names: readonly string[] | undefined): Situation[] | undefined {
  const chosen = names?.map(name => {
    const situation = situationNamed(name)
    if (situation !== undefined) return situation
    throw unknown(`situation ${name}`, name, situations, `${commandLine('examine', '--list')} tells all`)
  })
  const normalDay = situationNamed('normal-day')!
  return chosen?.some(({ isCompared, countsOrders }) => isCompared || countsOrders)
    ? [...new Set([normalDay, ...chosen])]
    : chosen
}

/** Returns the failure for an unknown name, which suggests the nearest ones. */
function unknown(what: string, name: string, all: readonly { id: string }[], where: string): Failure {
  const ids = all.map(({ id }) => id)
  return wrongCall(
    `There is no ${what}; the nearest are ${nearest(name.toLowerCase(), ids).join(', ')} (${where}).`,
  )
}

/** Examines the kit's correct client, or one of its deviants. */
async function demonstrate(
  demo: true | string,
  { out = DEFAULT_OUT, json, har }: ExamineOptions,
): Promise<ExitCode> {
  const deviant = demo === true ? undefined : clientDeviants.find(({ id }) => id === demo)
  if (demo !== true && deviant === undefined) {
    throw unknown(
      `deviant client ${demo}`,
      demo,
      clientDeviants,
      `${commandLine('prove', '--clients')} lists all`,
    )
  }
  const tasks: DemoTask[] =
    deviant === undefined
      ? everyTask()
      : [...new Set(['normal-day', deviant.situation])].map(id => ({
          product: deviant.product,
          situation: situationNamed(id)!,
          habits: deviant.habits,
        }))
  const startedAt = new Date()
  const folder = makeRunFolder(out, 'examine', 'examine', startedAt)
  say('The client of the demonstration goes by a clock that is moved on: its minutes take no time.')
  const { baseUrl, done } = await performAll(tasks, folder.path)
  const record = examinationRecord({
    judged: done.flatMap(({ judged }) => judged),
    run: folder.run,
    client: { name: deviant?.id ?? 'the client of the demonstration', baseUrl },
    products: deviant === undefined ? productIds : [deviant.product],
    whole: deviant === undefined,
    startedAt,
    finishedAt: new Date(),
  })
  folder.release()
  if (har === true) await writeHar(folder.path)
  await publish(record, folder.path, { json })
  return outcomeOf(record).exitCode
}
