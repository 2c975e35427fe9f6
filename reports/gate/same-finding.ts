import type { Finding } from '../../fixtures/ground/record.ts'
import { essenceOf } from '../findings/roots.ts'

/**
 * Returns a function that tells whether a finding is among those of an earlier run, by kind of product, operation,
 * status, the field and how it is wrong. Facts that an earlier format lacks are not compared.
 */
export function knownAmong(earlier: readonly Finding[]): (finding: Finding) => boolean {
  const known = Map.groupBy(earlier, identityOf)
  const agrees = <T>(was: T | undefined, is: T | undefined): boolean =>
    was === undefined || is === undefined || was === is
  return finding =>
    (known.get(identityOf(finding)) ?? []).some(
      ({ operation, status }) => agrees(operation, finding.operation) && agrees(status, finding.status),
    )
}

const identityOf = (finding: Finding): string =>
  [kindOf(finding), amountErrorOf(finding), essenceOf(finding)].join('\n')

/** Returns the kind of product of a check, which is at the end of its id. */
const kindOf = ({ check }: Pick<Finding, 'check'>): string => / \(([^()]*)\)$/.exec(check)?.[1] ?? ''

const ABOUT_AMOUNTS = /amount|total|price|penalty|fee/i

/**
 * Returns how an amount is wrong: too high or too low, and whether by cents, by less than double, by a power of
 * ten, or by more.
 */
function amountErrorOf(finding: Pick<Finding, 'message' | 'expected' | 'observed'>): string {
  const { message, expected, observed } = finding
  if (!ABOUT_AMOUNTS.test(message)) return ''
  const [, wanted = '', came = ''] = /expected (.*?),? (?:but )?got (.*)/s.exec(message) ?? []
  const should = lastNumber(expected ?? wanted)
  const is = lastNumber(observed ?? came)
  if (should === undefined || is === undefined || should === is) return ''
  const side = is < 0 && should >= 0 ? 'negative' : is > should ? 'above' : 'below'
  if (Math.abs(is - should) < 1) return `${side}, cents`
  const factor = Math.abs(is / should)
  const tens = Math.log10(factor)
  if (Math.abs(tens - Math.round(tens)) < 0.002 && Math.round(tens) !== 0)
    return `${side}, 10^${Math.round(tens)}`
  return `${side}, ${factor >= 2 || factor <= 0.5 ? 'a multiple' : 'a part'}`
}

function lastNumber(text: string): number | undefined {
  const found = text.replaceAll(/ ?\(exchanges? [^)]*\)/g, '').match(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g)
  return found === null ? undefined : Number(found.at(-1))
}
