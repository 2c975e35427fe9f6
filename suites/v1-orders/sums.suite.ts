import { laterRow, ofRecord, onDay, twoCodes } from '../../fixtures/check/v1/index.ts'
import { describe, orderAt, story } from '../../fixtures/test.ts'

const PARKS = ['v1-park-a', 'v1-park-b'] as const
const SUMS = ['V1-*-CONFIRM-TOTAL', 'V1-*-PRICE-PER-TICKET'] as const

describe('the sum of the prices of tickets is accepted as the total of their order', () => {
  for (const [adults, children] of [
    [1, 0],
    [2, 0],
    [3, 0],
    [1, 1],
    [2, 1],
    [1, 2],
    [2, 2],
    [3, 2],
    [11, 1],
  ] as const) {
    const ordered = orderAt({ people: { adults, children } })
    story([ordered, ordered], { for: SUMS, kinds: PARKS })
  }

  const days = [13, 0, 1, 2, 3, 4, 5, 6].map(day => orderAt({ found: onDay(day) }))
  story(days, { title: 'on each day of a week, and the last of two', for: SUMS, kinds: ['v1-park-a'] })

  for (const row of [1, -1] as const)
    story(
      [0, 7, -1].map(off => orderAt({ found: laterRow(row), off })),
      { for: [...SUMS, 'V1-PARK-B-CONFIRM-TOTAL-CENT'], kinds: ['v1-park-b'] },
    )

  for (const found of [1, 2, 3, 4, 5].map(ofRecord))
    story([orderAt({ found }), orderAt({ found })], { for: SUMS, kinds: ['v1-park-b'] })

  story(
    [0, -0.01, 1].map(off => orderAt({ found: twoCodes, off })),
    { for: ['V1-PARK-B-CONFIRM-TOTAL', 'V1-PARK-B-CONFIRM-TOTAL-CENT'], kinds: ['v1-park-b'] },
  )
})
