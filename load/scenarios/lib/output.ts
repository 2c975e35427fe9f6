import type { EndpointId } from '../../../fixtures/ground/endpoints.ts'

/** The name of a request in tags, figures and plots: an endpoint, or a probe of the definition. */
export type Operation = EndpointId | 'v1 probe' | 'v2 probe'

/** The kit's tags of every request in k6's output, besides k6's own `status`, `error_code` and `scenario`. */
export interface RequestTags {
  op: Operation
  /** The alias of the sender. */
  who: string
}

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

/** The prefix of k6's console lines that contain an answer. */
export const ANSWER_MARK = '~tss '

/** The separator between the JSON of a line and the body. JSON on one line cannot contain it. */
export const BODY_MARK = '\t'

/** A logged request and answer: `ANSWER_MARK`, this as JSON, `BODY_MARK`, and the body if it is text of one line. */
export interface LoggedAnswer {
  op: Operation
  /** The alias of the sender. */
  who: string
  /** The name of the k6 scenario (a part of a stage). */
  part: string
  /** The time of sending, in epoch milliseconds. */
  at: number
  /** Milliseconds to the last byte; for a failed request, until it was given up. */
  took: number
  /** When the script had the answer, in epoch milliseconds. `took` has no wait for a connection. */
  heardAt: number
  request: {
    method: string
    /** The path with its query, relative to the base address. */
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
