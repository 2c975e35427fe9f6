import { InvalidArgumentError } from 'commander'
import { wrongCall } from '../../fixtures/run/failure.ts'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

/** Parses `90s`, `10m` or `1h` into milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text) ?? []
  const milliseconds = Number(amount) * UNITS[unit as keyof typeof UNITS]
  if (!(milliseconds > 0)) throw new InvalidArgumentError('Write it like 90s, 10m or 1h.')
  return milliseconds
}

/** Returns a parser of whole numbers of at least `least`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return text => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(
        most === Number.MAX_SAFE_INTEGER
          ? `Write a whole number of at least ${least}.`
          : `Write a whole number from ${least} to ${most}.`,
      )
    }
    return value
  }
}

const isShare = (text: string): boolean => /^(0|1|0?\.\d+|1\.0+)$/.test(text)

/** Parses a share from 0 to 1. */
export function share(text: string): number {
  if (isShare(text)) return Number(text)
  throw new InvalidArgumentError('Write a number from 0 to 1, such as 0.95.')
}

/** Parses names separated by commas. */
export function list(text: string): string[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  if (names.length === 0)
    throw new InvalidArgumentError('Write one or several names, with commas between them.')
  return names
}

/** Returns the known names that are given. @throws {Failure} if one is unknown */
export function namesAmong<Name extends string>(
  known: readonly Name[],
  what: string,
  given: readonly string[],
  how = '',
): Name[] {
  const unknown = given.filter(name => !(known as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw wrongCall(`There is no ${what} ${unknown.join(', ')}: give some of ${known.join(', ')}${how}.`)
  return known.filter(name => given.includes(name))
}

/** Parses `rate=5,duration=60` into numbers by name. */
export function settings(text: string): Record<string, number> {
  const entries = list(text).map((entry): [string, number] => {
    const [, name, value] = /^(\w+)=(\d+(?:\.\d+)?|\.\d+)$/.exec(entry) ?? []
    if (name === undefined)
      throw new InvalidArgumentError('Write names and numbers, such as rate=5,duration=60.')
    return [name, Number(value)]
  })
  return Object.fromEntries(entries)
}
