/** The optional report formats. */
export const FORMATS = ['ctrf', 'har'] as const
/** An optional report format. */
export type Format = (typeof FORMATS)[number]
