import { together } from '../../../../fixtures/deviants/changes.ts'
import { deviants } from '../../../../fixtures/deviants/index.ts'
import type { Variant } from '../../../../fixtures/reference/rules.ts'

/** The number of days in the history. */
export const DAYS = 30

/** The deviants that are switched on, with the first and the last day. */
const FAULTS: readonly [id: string, first: number, last: number][] = [
  ['any-scheme-accepted', 4, 6],
  ['alternatives-for-transfers', 8, 10],
  ['replay-answers-201', 9, 16],
  ['deadline-shown-an-hour-late', 12, DAYS],
  ['v1hotels-search-min-nights-other-0-v1-hotel-search-to-date-after', 18, DAYS],
  ['dates-with-a-time-accepted', 20, 23],
  ['alternatives-for-transfers', 25, 27],
  ['cache-v2-ticket-catalog-v2-ticket-catalog-missing', 27, DAYS],
]

/** From this day on, every answer of v2 takes longer. */
const SLOW = { from: 21, milliseconds: 60 }

const slow: Variant = {
  patchResponse: async (_, { version }) => {
    if (version === 'v2') await new Promise(resolve => setTimeout(resolve, SLOW.milliseconds))
  },
}

/** The embedded deployment on each day, by the name that `dayName` gives. */
export const variants: Record<string, Variant> = Object.fromEntries(
  Array.from({ length: DAYS }, (_, at) => [dayName(at + 1), onDay(at + 1)]),
)

/** Returns the name of the variant of a day, counted from 1. */
export function dayName(day: number): string {
  return `day-${day}`
}

function onDay(day: number): Variant {
  const faults = FAULTS.filter(([, first, last]) => first <= day && day <= last).map(([id]) => {
    const found = deviants.find(deviant => deviant.id === id)
    if (found === undefined) throw new Error(`There is no deviant ${id}: name another one in FAULTS.`)
    return found.variant
  })
  return together(...faults, ...(day < SLOW.from ? [] : [slow]))
}
