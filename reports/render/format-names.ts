/** The optional report formats. */
export const FORMATS = ['ctrf', 'sarif', 'har', 'badge'] as const
/** An optional report format. */
export type Format = (typeof FORMATS)[number]
