import type { Finding } from '../../fixtures/ground/record.ts'

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

const LONGEST_PATH = 200

/** What a finding is about: names of fields and headers in lower case, and if they are known, the paths of values in the answer. */
export interface About {
  names: ReadonlySet<string>
  paths?: readonly string[]
}

/** Returns what a finding is about: by the path of the value that it compares, or else by the words of its message. */
export function aboutOf({ message, compare }: Pick<Finding, 'message' | 'compare'>): About {
  const { of = '', at, beside = [] } = compare ?? {}
  // A record of others may hold any text.
  if (at === undefined || at.length > LONGEST_PATH || !['json', 'booking', 'place'].includes(of))
    return { names: namesIn(message) }
  const around = at.slice(0, at.lastIndexOf('.') + 1)
  const others = beside.filter(path => path.length <= LONGEST_PATH)
  const paths = [at, ...others.slice(0, 4).map(path => around + path)]
  return { names: new Set(paths.map(lastOf)), paths }
}

/** Returns which lines of indented JSON a finding is about. Where a value is missing, what was to hold it is marked. */
export function linesAbout(lines: readonly string[], { names, paths }: About): boolean[] {
  if (paths === undefined) {
    return lines.map(line => {
      const [, field] = FIELD.exec(line) ?? []
      return field !== undefined && names.has(field.toLowerCase())
    })
  }
  const places = pathsOf(lines)
  const marked = new Set(paths.flatMap(path => nearest(path, places)))
  return places.map((_, at) => marked.has(at))
}

const FIELD = /^\s*"((?:[^"\\]|\\.)*)": /

/** Returns the lines at a path, or at the nearest one around it. A booking may stand in an object of that name. */
function nearest(path: string, places: readonly (string | undefined)[]): number[] {
  for (let left = path; left !== ''; left = left.replace(/(?:^|\.)[^.[]*$|\[\d*\]$/, '')) {
    const pattern = RegExp(
      `^(?:booking\\.)?${left.replaceAll(/[\\^$*+?.()|{}[\]]/g, '\\$&').replaceAll('\\[\\]', '\\[\\d+\\]')}$`,
    )
    const found = [...places.keys()].filter(at => pattern.test(places[at] ?? ''))
    if (found.length > 0) return found
  }
  return []
}

/** Returns the path of the value that begins in each line of indented JSON. */
function pathsOf(lines: readonly string[]): (string | undefined)[] {
  const around: { path: string; next: number | undefined }[] = []
  return lines.map(line => {
    const text = line.trim()
    if (/^[\]}]/.test(text)) {
      around.pop()
      return undefined
    }
    const here = around.at(-1)
    const [, name] = FIELD.exec(text) ?? []
    const path =
      name !== undefined
        ? here?.path
          ? `${here.path}.${name}`
          : name
        : here?.next === undefined
          ? ''
          : `${here.path}[${here.next++}]`
    if (/[[{]$/.test(text)) around.push({ path, next: text.endsWith('[') ? 0 : undefined })
    return path
  })
}

/** Returns the last name of a path, in lower case. */
const lastOf = (path: string): string =>
  path
    .replaceAll(/\[\d*\]/g, '')
    .split('.')
    .at(-1)!
    .toLowerCase()

/**
 * Returns the names of fields and headers in a message, in lower case; `items[0].travelers[1].name` gives `name`. Where it names
 * such a place in a list, its other words are no names.
 */
function namesIn(message: string): Set<string> {
  const paths = message
    .slice(0, 4_000)
    // An HTTP status is not a field of the body.
    .replaceAll(/\bstatus \d+/g, '')
    .match(/[A-Za-z_][\w-]*(?:\[\d*\])?(?:\.[A-Za-z_][\w-]*(?:\[\d*\])?)*/g)
  const placed = paths?.filter(path => path.includes('].'))
  return new Set((placed?.length ? placed : (paths ?? [])).map(lastOf).filter(({ length }) => length >= 3))
}
