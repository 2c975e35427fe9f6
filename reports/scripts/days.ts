import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { bodyText, type Day } from './plan.ts'

const DAY = 86_400_000
/** A passenger whose birthday is so near to the visit, in days, has an age that may be the point. */
const NEAR = 3

const DATE = /\b\d{4}-\d\d-\d\d\b/g

/** Returns the days in the path and body of a request, in milliseconds since the epoch, by what was sent. */
function daysIn(step: StoredExchange): Map<string, number> {
  const texts = `${step.request.path} ${bodyText(step)}`.match(DATE) ?? []
  const days = texts.map(text => [text, Date.parse(`${text}T00:00:00Z`)] as const)
  return new Map(days.filter(([text, day]) => day > 0 && dateOf(day) === text))
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10)

/**
 * Returns the days that requests ask for, and the birthdays near to one of them: a script that runs in a later week asks for days
 * as far ahead, of the same weekday.
 */
export function daysOf(steps: readonly StoredExchange[]): Day[] {
  const found = new Map<string, Omit<Day, 'name'>>()
  for (const step of steps) {
    const days = daysIn(step)
    const ahead = [...days].filter(([, day]) => day + DAY > Date.parse(step.startedAt))
    for (const [text] of ahead) found.set(text, { text, day: text, more: 0, years: 0 })
    const [visit] = ahead
    for (const [text] of visit === undefined ? [] : days) {
      if (found.has(text)) continue
      const apart = Number(visit![0].slice(0, 4)) - Number(text.slice(0, 4))
      for (const years of [apart - 1, apart, apart + 1]) {
        const birthday = Date.parse(`${Number(text.slice(0, 4)) + years}${text.slice(4)}T00:00:00Z`)
        const more = Math.round((birthday - visit![1]) / DAY)
        if (Math.abs(more) <= NEAR) found.set(text, { text, day: visit![0], more, years })
      }
    }
  }
  return [...found.values()].map((day, at) => ({ ...day, name: `$DAY_${at + 1}` }))
}
