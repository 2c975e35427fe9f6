import type { Fact } from '../../fixtures/record-load.ts'

/** Formats a number: thousands separators, and three significant digits below a hundred. */
export function number(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 4 })
  if (size >= 100) return Math.round(value).toLocaleString('en')
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

/** Formats milliseconds: `0.42 ms`, `87 ms`, `12.3 s`, `400 s`. */
export function milliseconds(value: number): string {
  const size = Math.abs(value)
  // A value that would be rounded to 1000 ms is shown as 1 s.
  if (size >= 999.5) return `${number(value / 1000)} s`
  return `${size < 9.95 ? Number(value.toPrecision(2)) : Math.round(value)} ms`
}

/** Formats seconds: `0.8 s`, `42 s`, `5 min`, `1 h 20 min`. */
export function seconds(value: number): string {
  if (value < 59.5) return `${number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} s`
  const whole = Math.round(value)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

/** Returns the value of a fact with its unit. */
export function factValue({ value, unit = '' }: Fact): string {
  if (typeof value === 'number' && unit === 'ms') return milliseconds(value)
  if (typeof value === 'number' && unit === 's') return seconds(value)
  return `${typeof value === 'number' ? number(value) : value} ${unit}`.trim()
}
