import { toneOf } from '../judge/outcome.ts'

/** Class that gives a verdict its colour. The word always stands beside it. */
export const tone = (verdict: Parameters<typeof toneOf>[0]): string => `tone-${toneOf(verdict)}`
