import { isSeq, parseDocument } from 'yaml'
import { clauseIds } from '../../../fixtures/clauses/index.ts'
import { jsonIn } from '../../../fixtures/ground/read-json.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'
import { readWaivers } from '../../../reports/gate/read-waivers.ts'
import type { Waiver } from '../../../reports/gate/waivers.ts'

/** The change of a file of waivers. */
export interface Change {
  text: string
  /** Removed and added lines with a few around them, each with its mark. */
  lines: { mark: '+' | '-' | ' '; text: string }[]
}

const AROUND = 3

/**
 * Returns a file of waivers with one more entry. The rest stays unchanged, including comments.
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
  const json = jsonIn(before) as { waivers: Waiver[] | null } | null | undefined
  if (json !== undefined)
    return `${JSON.stringify({ waivers: [...(json?.waivers ?? []), waiver] }, null, 2)}\n`
  const document = parseDocument(before, { schema: 'core' })
  const list = document.get('waivers')
  if (!isSeq(list)) {
    const empty = /^waivers:/m.test(before) ? before : `${before.trimEnd()}\nwaivers:\n`.trimStart()
    return empty.replace(/^waivers:.*\n?/m, line => `${line.trimEnd()}\n${entryOf(waiver, '  ')}`)
  }
  const last = !list.flow ? (list.items.at(-1) as { range?: [number, number, number] }) : undefined
  if (last?.range === undefined) {
    document.addIn(['waivers'], waiver)
    return document.toString({ lineWidth: 0 })
  }
  // Inserts the entry after the last one, with the indentation of its dash, and leaves the text around unchanged.
  const indent = /^ */.exec(
    before.slice(before.lastIndexOf('\n', before.lastIndexOf('-', last.range[0])) + 1),
  )![0]
  const end = last.range[1]
  const gap = before[end - 1] === '\n' ? '' : '\n'
  const rest = before.slice(end)
  const lineEnd = gap === '' ? 0 : rest.indexOf('\n') + 1 || rest.length
  const head = before.slice(0, end) + rest.slice(0, lineEnd)
  return `${head}${head.endsWith('\n') ? '' : '\n'}${entryOf(waiver, indent)}${rest.slice(lineEnd)}`
}

/** Returns a waiver as an entry of a YAML list. Every JSON string is valid YAML. */
function entryOf(waiver: Omit<Waiver, 'covers'>, indent: string): string {
  const plain = /^[A-Z0-9-]+$/
  const fields = Object.entries(waiver as Record<string, string>).map(
    ([name, value]) => `${name}: ${plain.test(value) ? value : JSON.stringify(value)}\n`,
  )
  return fields.map((field, at) => `${indent}${at === 0 ? '- ' : '  '}${field}`).join('')
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
