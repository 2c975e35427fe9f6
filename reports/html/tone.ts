import type { RunVerdict } from '../../fixtures/record.ts'
import { toneOf } from '../judge/outcome.ts'
import { html, type Markup } from './markup.ts'

/** Returns the class for a verdict's colour. The word is always shown too. */
export const tone = (verdict: Parameters<typeof toneOf>[0]): string => `tone-${toneOf(verdict)}`

/** Returns a verdict in its colour. */
export const word = (verdict: RunVerdict | 'measured', shown: string = toneOf(verdict)): Markup =>
  html`<span class="word tone-${shown}"><span class="mark" aria-hidden="true"></span>${verdict}</span>`
