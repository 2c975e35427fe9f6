import { along } from './lib/executors.ts'
import { visitsOf } from './lib/visits.ts'

// At which rate do the objectives fail?
const visits = visitsOf(
  'breakpoint',
  read => along([{ from: read('from'), to: read('to'), seconds: read('duration') }], 4),
  read => ({
    http_req_duration: [`p(95)<${read('p95')}`],
    http_req_failed: [`rate<${read('errorShare')}`],
  }),
)

export const { options } = visits
export default visits.visit
