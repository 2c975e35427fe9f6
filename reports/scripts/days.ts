import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { bodyText, type Day } from './plan.ts'

const DAY = 86_400_000
const YEAR = 365.2425 * DAY
/** A passenger whose birthday is so near to the visit has an age that may be the point. */
const NEAR = 3 * DAY

/** Returns the days in the path and body of a request, by what was sent. */
const daysIn = (step: StoredExchange) =>
  [...`${step.request.path} ${bodyText(step)}`.matchAll(/\b\d{4}-\d\d-\d\d\b/g)]
    .map(([text]) => ({ text, time: Date.parse(text) }))
    .filter(({ text, time }) => new Date(time || 0).toISOString().startsWith(text))

/**
 * Returns the days that requests ask for, and the birthdays near to one of them: a script that runs in a later week asks for days
 * as far ahead, of the same weekday.
 */
export function daysOf(steps: readonly StoredExchange[]): Day[] {
  const found = new Map<string, Omit<Day, 'name'>>()
  for (const step of steps) {
    const days = daysIn(step)
    const ahead = days.filter(({ time }) => time + DAY > Date.parse(step.startedAt))
    for (const { text } of ahead) found.set(text, { text, day: text, more: 0, years: 0 })
    const [visit] = ahead
    for (const { text, time } of visit === undefined ? [] : days) {
      const years = Math.round((visit!.time - time) / YEAR)
      const birthday = Date.parse(`${Number(text.slice(0, 4)) + years}${text.slice(4)}`)
      const more = birthday - visit!.time
      if (years > 0 && Math.abs(more) <= NEAR)
        found.set(text, { text, day: visit!.text, more: more / DAY, years })
    }
  }
  return [...found.values()].map((day, at) => ({ ...day, name: `$DAY_${at + 1}` }))
}
