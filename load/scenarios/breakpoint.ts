import { along } from './lib/executors.ts'
import { visitsOf } from './lib/journeys.ts'

// At which rate do the objectives fail?
const visits = visitsOf(read => along([{ from: read('from'), to: read('to'), seconds: read('duration') }], 4))

export const { options } = visits
export default visits.visit
