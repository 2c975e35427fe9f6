import { along } from './lib/executors.ts'
import { visitsOf } from './lib/journeys.ts'

// What happens in a sudden rush, and how long does the recovery take?
const visits = visitsOf(read => {
  const rate = read('rate')
  const rush = rate * read('spike')
  return along(
    [
      { from: rate, to: rate, seconds: read('before') },
      { from: rush, to: rush, seconds: read('during') },
      { from: rate, to: rate, seconds: read('after') },
    ],
    4,
  )
})

export const { options } = visits
export default visits.visit
