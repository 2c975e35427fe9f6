/** A stretch of an open model: the rate changes linearly from `from` to `to` iterations per second in `seconds`. */
export interface Stretch {
  from: number
  to: number
  seconds: number
}

/**
 * Returns when an iteration (from 0) is due, in seconds after the first stretch began: when the area under the rate
 * reaches that number. `Infinity` if it never does.
 */
export function dueAfter(stretches: readonly Stretch[], iteration: number): number {
  let began = 0
  let left = iteration
  for (const { from, to, seconds } of stretches) {
    const area = ((from + to) / 2) * seconds
    if (left <= area) return began + timeInStretch({ from, to, seconds }, left)
    left -= area
    began += seconds
  }
  return Number.POSITIVE_INFINITY
}

/** Solves `from·t + (to − from)·t² / 2·seconds = area`, in a form that is exact for a constant rate. */
function timeInStretch({ from, to, seconds }: Stretch, area: number): number {
  if (area === 0) return 0
  const slope = (to - from) / seconds
  return (2 * area) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * area)))
}
