/** Evenly spaced labelled values of an axis. */
export interface Ticks {
  values: number[]
  labels: string[]
}

/** Returns the smallest of 1, 2 and 5 times a power of ten with which `most` steps cover a span. */
function niceStep(span: number, most: number): number {
  const least = span / most
  const power = 10 ** Math.floor(Math.log10(least))
  // The span is empty, or too small for floating point.
  if (!Number.isFinite(power) || power === 0) return 1
  const factor = [1, 2, 5].find(one => one * power >= least * (1 - 1e-9)) ?? 10
  return factor * power
}

/** Returns ticks within a range, with at most `most` steps. */
export function niceTicks(low: number, high: number, most: number, whole = false): Ticks {
  const nice = niceStep(high - low, most)
  const step = whole ? Math.max(1, nice) : nice
  const first = Math.ceil(low / step - 1e-9)
  const steps = Math.min(most, Math.floor(high / step + 1e-9) - first)
  const values = Array.from({ length: Math.max(0, steps) + 1 }, (_, at) => exact((first + at) * step))
  return { values, labels: values.map(value => tickLabel(value, step)) }
}

/** Returns a non-empty range that contains another one and begins and ends at a tick. */
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

/** Returns ticks of a logarithmic axis within a positive range: 1, 2, 5, 10, … or fewer, at most `most`. */
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

/** Returns the label of a value on an axis with that step. */
function tickLabel(value: number, step: number): string {
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

/** Returns a linear mapping. */
export const linear =
  ([low, high]: readonly [number, number], from: number, to: number): Position =>
  value =>
    from + ((value - low) / (high - low)) * (to - from)

/** Returns a logarithmic mapping of a positive range. Smaller values are placed at its lower end. */
export function logarithmic([low, high]: readonly [number, number], from: number, to: number): Position {
  const along = linear([Math.log(low), Math.log(high)], from, to)
  return value => along(Math.log(Math.max(low, value)))
}

/** Removes floating-point noise in the last digits. */
const exact = (value: number): number => Number(value.toPrecision(12))
