/** Longest text that is indented, in characters: beyond it, a person looks at the file. */
const LONGEST = 200_000

/** Deeper levels are indented as this one: the text grows with its length, and not with its depth. */
const DEEPEST = 32

/**
 * Indents JSON for reading, two spaces a level, without reading its values: a number of thirty digits keeps them all.
 * What is no JSON text of an object or a list comes back as it is.
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
  // Strings as a whole, each mark of structure, white space, and whatever else stands between them.
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
      // Nothing in it: both marks stay on one line.
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

/** Marks lines of a text that a finding names: fields of its message, by their last name. */
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
    // A status of HTTP is no field of the body.
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
