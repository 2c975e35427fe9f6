/** Reports that are written where they are asked for. */
export const FORMATS = ['ctrf', 'sarif', 'har', 'badge'] as const
/** A report that is written where it is asked for. */
export type Format = (typeof FORMATS)[number]
