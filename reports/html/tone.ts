import type { RunVerdict } from '../../fixtures/record.ts'

const TONES: Record<RunVerdict, string> = {
  conforms: 'conforms',
  violates: 'violates',
  blocked: 'blocked',
  incomplete: 'blocked',
  error: 'error',
  'not exercised': 'unseen',
  'not applicable': 'none',
}

/** Class that gives a verdict its colour. The word always stands beside it. */
export const tone = (verdict: RunVerdict): string => `tone-${TONES[verdict]}`
