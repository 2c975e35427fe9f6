/** Values of an axis that are labelled, evenly apart, with how they are written. */
export interface Ticks {
  values: number[]
  labels: string[]
}

/** Returns the smallest of 1, 2 and 5 times a power of ten with which `most` steps cover a span. */
export function niceStep(span: number, most: number): number {
  const least = span / most
  const power = 10 ** Math.floor(Math.log10(least))
  // Nothing to divide, or beyond what numbers can tell apart.
  if (!Number.isFinite(power) || power === 0) return 1
  const factor = [1, 2, 5].find(one => one * power >= least * (1 - 1e-9)) ?? 10
  return factor * power
}

/** Returns ticks within a range, at most `most` steps apart. */
export function niceTicks(low: number, high: number, most: number, whole = false): Ticks {
  const nice = niceStep(high - low, most)
  const step = whole ? Math.max(1, nice) : nice
  const first = Math.ceil(low / step - 1e-9)
  const steps = Math.min(most, Math.floor(high / step + 1e-9) - first)
  const values = Array.from({ length: Math.max(0, steps) + 1 }, (_, at) => exact((first + at) * step))
  return { values, labels: values.map(value => tickLabel(value, step)) }
}

/** Returns the range that begins and ends at a tick, holds another one and is never empty. */
export function niceRange(
  low: number,
  high: number,
  most: number,
  whole = false,
): [low: number, high: number] {
  const nice = niceStep(high - low, most)
  const step = whole ? Math.max(1, nice) : nice
  const [from, to] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step]
  return from < to ? [exact(from), exact(to)] : [Math.min(0, low), Math.max(1, high)]
}

/** Returns ticks of a logarithmic axis within a range above zero: 1, 2, 5, 10, … or fewer, `most` at most. */
export function logTicks(low: number, high: number, most: number): Ticks {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const within = (factors: readonly number[], stride: number): number[] => {
    const found: number[] = []
    for (let power = first; power <= last; power += stride)
      for (const factor of factors) found.push(exact(factor * 10 ** power))
    return found.filter(value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
  }
  let values = within([1, 2, 5], 1)
  for (let stride = 1; values.length > most; stride++) values = within([1], stride)
  return { values, labels: values.map(value => tickLabel(value, 10 ** Math.floor(Math.log10(value)))) }
}

/** Returns how a value of an axis is written whose neighbours are a step away. */
export function tickLabel(value: number, step: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e15 || step < 1e-6) return value.toExponential(1).replace('.0', '').replace('e+', 'e')
  if (step >= 1e5 && size >= 1e6)
    return value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 })
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Maps a value to a position: the lower end of the range to `from`, the upper one to `to`. */
export type Position = (value: number) => number

/** Maps values evenly along a range. */
export const linear =
  ([low, high]: readonly [number, number], from: number, to: number): Position =>
  value =>
    from + ((value - low) / (high - low)) * (to - from)

/** Maps values by magnitude along a range above zero; what is below it stands at its lower end. */
export function logarithmic([low, high]: readonly [number, number], from: number, to: number): Position {
  const along = linear([Math.log(low), Math.log(high)], from, to)
  return value => along(Math.log(Math.max(low, value)))
}

/** Rounds away the noise that sums of binary fractions leave in the last digits. */
const exact = (value: number): number => Number(value.toPrecision(12))
