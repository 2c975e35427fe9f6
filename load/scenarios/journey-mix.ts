import { lasting } from './lib/executors.ts'
import { visitsOf } from './lib/journeys.ts'

// How does the deployment perform under ordinary load?
const visits = visitsOf(read => lasting(read('rate'), read('duration'), 4))

export const { options } = visits
export default visits.visit
