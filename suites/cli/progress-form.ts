/** The forms of progress on stderr: a line for people, or events (`RunEvent`) for programs. */
export const PROGRESS = ['line', 'ndjson'] as const
export type ProgressForm = (typeof PROGRESS)[number]
