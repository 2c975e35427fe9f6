import { lasting } from './lib/executors.ts'
import { visitsOf } from './lib/journeys.ts'

// Does the deployment perform as well at the end of a long run as at its beginning?
const visits = visitsOf(read => lasting(read('rate'), read('duration'), 4))

export const { options } = visits
export default visits.visit
