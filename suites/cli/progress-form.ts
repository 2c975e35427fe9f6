/** How a run tells of its progress: a line for people, or events for a program (`RunEvent`), both on stderr. */
export const PROGRESS = ['line', 'ndjson'] as const
export type ProgressForm = (typeof PROGRESS)[number]
