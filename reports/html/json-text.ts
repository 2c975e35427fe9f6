/** The maximum length of a text that is indented, in characters. */
const LONGEST = 200_000

/** The maximum indentation, so that the size of the result does not depend on the depth. */
const DEEPEST = 32

/**
 * Indents JSON without parsing its values, so that a number of thirty digits keeps all of them. Other text is
 * returned unchanged.
 */
export function indented(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST || !/^[[{]/.test(trimmed)) return text
  const lines: string[] = []
  let line = ''
  let depth = 0
  const end = (): void => {
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = '  '.repeat(Math.min(depth, DEEPEST))
  }
  // Strings, structural characters, white space, and everything between them.
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^"[\]{},:\s]+|"/gs)) {
    if (/^\s/.test(token)) continue
    if (token === '{' || token === '[') {
      line += token
      depth++
      end()
    } else if (token === '}' || token === ']') {
      depth--
      if (depth < 0) return text
      const opened = lines.at(-1)
      // An empty object or list stays on one line.
      if (line.trim() === '' && opened !== undefined && /[[{]$/.test(opened)) line = lines.pop()! + token
      else {
        end()
        line += token
      }
    } else if (token === ',') {
      line += token
      end()
    } else line += token === ':' ? ': ' : token
  }
  if (depth !== 0) return text
  end()
  return lines.join('\n')
}

/** Returns which lines of a text contain a field that a finding names, by its last name. */
export function namedLines(lines: readonly string[], named: ReadonlySet<string>): boolean[] {
  return lines.map(line => {
    const [, field] = /^\s*"((?:[^"\\]|\\.)*)": /.exec(line) ?? []
    return field !== undefined && named.has(field.toLowerCase())
  })
}

/** Returns the names of fields and headers in a message, in lower case; `items[0].travelers[1].name` gives `name`. */
export function namesIn(message: string): Set<string> {
  const names = new Set<string>()
  for (const [path] of message
    .slice(0, 4_000)
    // An HTTP status is not a field of the body.
    .replaceAll(/\bstatus \d+/g, '')
    .matchAll(/[A-Za-z_][\w-]*(?:\[\d*\])?(?:\.[A-Za-z_][\w-]*(?:\[\d*\])?)*/g)) {
    const last = path
      .replaceAll(/\[\d*\]/g, '')
      .split('.')
      .at(-1)!
    if (last.length >= 3) names.add(last.toLowerCase())
  }
  return names
}
