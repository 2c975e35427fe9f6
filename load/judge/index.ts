import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { RATE_LIMITS } from '../../fixtures/clauses/rate-limits.ts'
import type { ScenarioName } from '../plan/plan.ts'
import { CONTENTION_CLAUSES, judgeBookingContention } from './bookings/booking-contention.ts'
import { judgeBreakpoint, judgeJourneyMix, judgeSoak, judgeSpike } from './journeys.ts'
import type { Judge } from './judge.ts'
import { judgeRateLimitBurst, judgeRateLimitSustained, VERSIONS } from './rate-limits.ts'
import { judgeSearchPolling, POLLING_CLAUSES } from './searches/search-polling.ts'
import { judgeTimeouts, TIMEOUT_CLAUSES } from './timeouts.ts'

/** The question of a scenario, and the function that answers it. */
interface Judged {
  question: string
  /** The clauses that it is meant to decide, beyond those that any answer shows. */
  clauses: readonly ClauseId[]
  judge: Judge
}

const JOURNEY_CLAUSES: readonly ClauseId[] = ['V2-BOOK-COUNTED']

/** The judge of each scenario. */
export const JUDGES: Record<ScenarioName, Judged> = {
  'rate-limit-burst': {
    question: 'Is exactly the documented number of requests served per minute?',
    clauses: VERSIONS.flatMap(version => {
      const { keepsServing: _, ...ofBursts } = RATE_LIMITS[version]
      return Object.values(ofBursts)
    }),
    judge: judgeRateLimitBurst,
  },
  'rate-limit-sustained': {
    question: 'Is a partner that keeps to the documented rate ever refused?',
    clauses: VERSIONS.map(version => RATE_LIMITS[version].keepsServing),
    judge: judgeRateLimitSustained,
  },
  'search-polling': {
    question: 'How long do hotel searches take, how many polls do they need, and do they end?',
    clauses: POLLING_CLAUSES,
    judge: judgeSearchPolling,
  },
  'booking-contention': {
    question: 'Does one key, or one reference, ever make two bookings?',
    clauses: CONTENTION_CLAUSES,
    judge: judgeBookingContention,
  },
  timeouts: {
    question: 'Is every call answered within the time that clients are told to wait?',
    clauses: TIMEOUT_CLAUSES,
    judge: judgeTimeouts,
  },
  'journey-mix': {
    question: 'How does the deployment perform on an ordinary day?',
    clauses: JOURNEY_CLAUSES,
    judge: judgeJourneyMix,
  },
  spike: {
    question: 'How does the deployment perform in a sudden rush, and how long does it take to recover?',
    clauses: JOURNEY_CLAUSES,
    judge: judgeSpike,
  },
  breakpoint: {
    question: 'At which rate do the objectives fail?',
    clauses: JOURNEY_CLAUSES,
    judge: judgeBreakpoint,
  },
  soak: {
    question: 'Does the deployment perform as well at the end of a long run as at its beginning?',
    clauses: JOURNEY_CLAUSES,
    judge: judgeSoak,
  },
}
