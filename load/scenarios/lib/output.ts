import type { EndpointId } from '../../../fixtures/service/endpoints.ts'

/**
 * The name of a request in tags, figures and plots: the endpoints that passive rules know, and the probes of a
 * definition, which may be anything.
 */
export type Operation = EndpointId | 'v1 probe' | 'v2 probe'

/** Tags that every request of a scenario carries in k6's output, beside k6's own `status`, `error_code`, `scenario`. */
export interface RequestTags {
  op: Operation
  /** Alias of the sender. */
  who: string
  /** Its journey was not drawn to be judged: it is counted by its status. */
  light?: 'yes'
}

/** Custom metrics of the scenarios, by their names in k6's output. Times are in milliseconds. */
export const METRIC = {
  /**
   * From when an iteration was due to when its last request was answered (tag `op`: `journey`), and of the first
   * request of an iteration from when it was due to its answer (tag `op` of the request): coordinated omission shows.
   */
  fromSchedule: 'tss_from_schedule',
  /** From the start of a hotel search to the poll that ended it. */
  searchFinish: 'tss_search_finish',
  searchPolls: 'tss_search_polls',
  /** Polls that showed fewer hotels than an earlier poll of their search. */
  searchShrunk: 'tss_search_shrunk',
  /** Searches that were given up before they ended. */
  searchUnfinished: 'tss_search_unfinished',
  /** Visits to a product (tag `op`): 1 where something was found and requested to be booked, 0 where nothing was. */
  booked: 'tss_booked',
} as const

/** k6's own metric of iterations that it could not start when they were due: when, and of how many. */
export const DROPPED = 'dropped_iterations'

/** Begins every line of the console output of k6 that holds an answer, so that others can be told apart. */
export const ANSWER_MARK = '~tss '

/** Stands between the JSON of a line and the body of its answer. No JSON of one line holds it. */
export const BODY_MARK = '\t'

/**
 * One request and its answer, as a scenario writes it to the console: `ANSWER_MARK` and this as JSON, and behind `BODY_MARK`
 * the body of the answer where that is text of one line.
 */
export interface LoggedAnswer {
  op: Operation
  /** Alias of the sender. */
  who: string
  /** Name of the k6 scenario (a part of a stage). */
  part: string
  /** Written down though its journey was not drawn: it failed, or tells what is booked. */
  light?: true
  /** The time of sending, in epoch milliseconds. */
  at: number
  /** Milliseconds to the last byte; of a failed request, until it was given up. */
  took: number
  request: {
    method: string
    /** With query, relative to the base address. */
    path: string
    /** As sent, without `Authorization`. */
    headers: Record<string, string>
    body: string | null
  }
  /** Absent when there was none. */
  response?: {
    status: number
    /** As k6 shows them: canonical names, values of one name joined. */
    headers: Record<string, string>
    /** Decoded; `null` for an empty one; absent where it stands behind the JSON. */
    body?: string | null
    /** The body is base64 of bytes that are no text. */
    binary?: true
  }
  /** The reason why there was no answer: k6's error code (1050 is a timeout) and words. */
  error?: { code: number; message: string }
}
