import { ordinarySituations, situationsFor } from '../../../fixtures/examine/profile.ts'
import { situationNamed, situations } from '../../../fixtures/examine/situations/index.ts'
import type { Situation } from '../../../fixtures/examine/situations/situation.ts'
import { type ProductId, productIds } from '../../../fixtures/ground/products.ts'
import { nearest } from '../../../fixtures/ground/words.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, type Failure, wrongCall } from '../../../fixtures/run/failure.ts'
import { namesAmong } from '../arguments.ts'
import type { ExamineOptions } from './conduct-examination.ts'
import { situationList } from './situation-list.ts'

/** Examines a client. */
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
  if (options.exec === undefined)
    throw wrongCall(
      `Give the command that runs your client with --exec, or examine it by hand with ${commandLine('ui')}.`,
    )
  const { conductExamination } = await import('./conduct-examination.ts')
  const products = productsOf(options.products)
  const chosen = situationsOf(options.situation) ?? ordinarySituations(products)
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
