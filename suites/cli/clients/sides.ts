/** Whose promises are judged in traffic that others send: the deployment's, its client's, or those of both. */
export const SIDES = ['server', 'client', 'both'] as const
export type Side = (typeof SIDES)[number]

/** The findings that fail a command: of rules, also of recommendations, or none. */
export const FAIL_ON = ['must', 'should', 'none'] as const
export type FailOn = (typeof FAIL_ON)[number]
