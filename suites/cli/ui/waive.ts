import { isSeq, parseDocument } from 'yaml'
import { clauseIds } from '../../../fixtures/clauses/index.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'
import { readWaivers } from '../../../reports/gate/gate.ts'
import type { Waiver } from '../../../reports/gate/waivers.ts'

/** The change of a file of waivers. */
export interface Change {
  text: string
  /** Removed and added lines with a few around them, each with its mark. */
  lines: { mark: '+' | '-' | ' '; text: string }[]
}

const AROUND = 3

/**
 * Returns a file of waivers with one more entry. Other entries and comments stay.
 *
 * @param before the current text; empty if there is no file
 * @throws {Failure} if the waiver is invalid, or the file cannot be parsed
 */
export function withWaiver(before: string, waiver: Waiver, file: string, today: string): Change {
  const read = (text: string): Waiver[] => readWaivers(text, { file, clauses: clauseIds, today })
  const had = read(before)
  const text = added(before, waiver)
  if (JSON.stringify(read(text)) !== JSON.stringify([...had, waiver]))
    throw wrongCall(`The waiver could not be added to ${file}: write it there by hand.`)
  return { text, lines: changedLines(before, text) }
}

function added(before: string, waiver: Waiver): string {
  const document = parseDocument(before, { schema: 'core' })
  const list = document.get('waivers')
  if (isSeq(list) && list.items.length > 0) list.add(document.createNode(waiver))
  else document.set('waivers', document.createNode([waiver]))
  return document.toString({ lineWidth: 0 })
}

function changedLines(before: string, after: string): Change['lines'] {
  const [old, now] = [before, after].map(text =>
    text === '' ? [] : text.replace(/\n$/, '').split('\n'),
  ) as [string[], string[]]
  let top = 0
  while (top < old.length && top < now.length && old[top] === now[top]) top++
  let bottom = 0
  while (bottom < Math.min(old.length, now.length) - top && old.at(-1 - bottom) === now.at(-1 - bottom))
    bottom++
  const marked = (mark: '+' | '-' | ' ', lines: string[]) => lines.map(text => ({ mark, text }))
  return [
    ...marked(' ', now.slice(Math.max(0, top - AROUND), top)),
    ...marked('-', old.slice(top, old.length - bottom)),
    ...marked('+', now.slice(top, now.length - bottom)),
    ...marked(' ', now.slice(now.length - bottom, now.length - bottom + AROUND)),
  ]
}
