/** The names of the scenarios' custom metrics in k6's output. Times are in milliseconds. */
export const METRIC = {
  /**
   * The time from when an iteration was due to its last answer (tag `op`: `journey`), and to the answer of its
   * first request (tag `op` of the request). It shows coordinated omission.
   */
  fromSchedule: 'tss_from_schedule',
  /** The time from the start of a hotel search to the poll that ended it. */
  searchFinish: 'tss_search_finish',
  searchPolls: 'tss_search_polls',
  /** Searches that were given up before they ended. */
  searchUnfinished: 'tss_search_unfinished',
  /** Visits to a product (tag `op`): 1 where something was found and requested to be booked, 0 where nothing was. */
  booked: 'tss_booked',
} as const

/** k6's metric of iterations that could not be started when due. */
export const DROPPED = 'dropped_iterations'
