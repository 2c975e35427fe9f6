import type { Verdict } from '../../fixtures/record.ts'

const TONES: Record<Verdict, string> = {
  conforms: 'conforms',
  violates: 'violates',
  blocked: 'blocked',
  error: 'error',
  'not exercised': 'unseen',
  'not applicable': 'none',
}

/** Class that gives a verdict its colour. The word always stands beside it. */
export const tone = (verdict: Verdict): string => `tone-${TONES[verdict]}`
