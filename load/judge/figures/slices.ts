/** Equal slices of a period. */
export interface Slices {
  /** The beginning of the first slice, in epoch milliseconds. */
  from: number
  /** In milliseconds. */
  width: number
  count: number
}

/** Slice widths that are easy to read, in milliseconds. Beyond them, whole hours. */
const WIDTHS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600].map(
  seconds => seconds * 1000,
)
const AN_HOUR = 3_600_000

/** Divides a period into at most `most` slices of at least `narrowest` milliseconds. */
export function slicesOf(
  { from, to }: { from: number; to: number },
  { most, narrowest = 0 }: { most: number; narrowest?: number },
): Slices {
  const wanted = Math.max((to - from) / most, narrowest)
  const width = WIDTHS.find(one => one >= wanted) ?? Math.ceil(wanted / AN_HOUR) * AN_HOUR
  return { from, width, count: Math.max(1, Math.ceil((to - from) / width)) }
}

/** Returns the index of the slice that contains a time, or of the nearest one. */
export const sliceAt = ({ from, width, count }: Slices, at: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor((at - from) / width)))

/** Returns the middle of a slice in seconds after `zero` (epoch milliseconds), to the millisecond. */
export const middleOf = ({ from, width }: Slices, slice: number, zero: number): number =>
  Math.round(from + (slice + 0.5) * width - zero) / 1000

/** Groups values by slice. */
export function sliced<T extends { at: number }>(slices: Slices, seen: Iterable<T>): T[][] {
  const parts = Array.from({ length: slices.count }, (): T[] => [])
  for (const one of seen) parts[sliceAt(slices, one.at)]!.push(one)
  return parts
}
