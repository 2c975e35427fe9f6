import type { Clause } from '../../fixtures/clauses/clause.ts'
import { wrongCall } from './failure.ts'

/** What `--only` selects. */
export interface Selection {
  /** As it was written. */
  text: string
  /** The same as an expression of vitest, in which every name is a clause id. */
  tags: string
  /** Whether a check or deviant that cites these clauses is selected. */
  matches(cited: readonly string[]): boolean
}

type Catalogue = Readonly<Record<string, Pick<Clause, 'area'>>>

/**
 * Reads `--only`: clause ids, areas and prefixes (`V2-IDEM-*`), alone or joined with `and`, `or`, `not` and
 * parentheses. Case does not matter.
 *
 * @param others further names and the clauses each stands for
 * @throws {Failure} for an unknown name, with those it resembles, or a broken expression
 */
export function select(
  text: string,
  catalogue: Catalogue,
  others: Readonly<Record<string, readonly string[]>> = {},
): Selection {
  const ids = Object.keys(catalogue)
  const groups = new Map<string, readonly string[]>()
  for (const id of ids) groups.set(id.toLowerCase(), [id])
  for (const [area, members] of Map.groupBy(ids, id => catalogue[id]!.area)) groups.set(area, members)
  for (const [name, members] of Object.entries(others)) groups.set(name.toLowerCase(), members)

  function clausesOf(name: string): readonly string[] {
    const wanted = name.toLowerCase()
    const exact = groups.get(wanted)
    if (exact !== undefined) return exact
    const found = wanted.includes('*') ? [...groups].filter(([key]) => fits(wanted, key)) : []
    if (found.length > 0) return [...new Set(found.flatMap(([, members]) => members))]
    const near = nearest(wanted.replaceAll('*', ''), [...groups.keys()]).map(key =>
      groups.get(key)!.length === 1 ? groups.get(key)![0]! : key,
    )
    throw wrongCall(
      `--only ${text}: there is no clause or area ${name}; the nearest are ${near.join(', ')} (tss clauses lists all).`,
    )
  }

  const parsed = parse(text)
  const expand = (node: Node): string => {
    if (node.kind === 'name') return `(${clausesOf(node.name).join(' or ')})`
    if (node.kind === 'not') return `(not ${expand(node.operand)})`
    return `(${expand(node.left)} ${node.kind} ${expand(node.right)})`
  }
  const holds = (node: Node, cited: readonly string[]): boolean => {
    switch (node.kind) {
      case 'name':
        return clausesOf(node.name).some(id => cited.includes(id))
      case 'not':
        return !holds(node.operand, cited)
      case 'and':
        return holds(node.left, cited) && holds(node.right, cited)
      case 'or':
        return holds(node.left, cited) || holds(node.right, cited)
    }
  }
  return { text, tags: expand(parsed), matches: cited => holds(parsed, cited) }
}

type Node =
  | { kind: 'name'; name: string }
  | { kind: 'not'; operand: Node }
  | { kind: 'and' | 'or'; left: Node; right: Node }

const WORDS: Record<string, string> = { '&&': 'and', '||': 'or', '!': 'not' }

function parse(text: string): Node {
  const tokens = (text.match(/\(|\)|&&|\|\||!|[^\s()!&|]+|./g) ?? [])
    .filter(token => token.trim() !== '')
    .map(token => WORDS[token] ?? (/^(and|or|not)$/i.test(token) ? token.toLowerCase() : token))
  let at = 0

  const broken = (why: string) =>
    wrongCall(`--only ${text || "''"}: ${why}; write it like: v2-bookings and not V2-RATE-*`)

  function either(): Node {
    let left = both()
    while (tokens[at] === 'or') {
      at++
      left = { kind: 'or', left, right: both() }
    }
    return left
  }
  function both(): Node {
    let left = one()
    while (tokens[at] === 'and') {
      at++
      left = { kind: 'and', left, right: one() }
    }
    return left
  }
  function one(): Node {
    const token = tokens[at++]
    if (token === undefined) throw broken('a name is missing at the end')
    if (token === 'not') return { kind: 'not', operand: one() }
    if (token === '(') {
      const inside = either()
      if (tokens[at++] !== ')') throw broken('a closing parenthesis is missing')
      return inside
    }
    if (/^(and|or|\)|&|\|)$/.test(token)) throw broken(`${token} stands where a name should`)
    return { kind: 'name', name: token }
  }

  const tree = either()
  if (at < tokens.length) throw broken(`${tokens[at]} stands where and, or, or the end should`)
  return tree
}

function fits(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

/** The few names that take the fewest edits to reach, those that contain what was asked for first. */
export function nearest(wanted: string, names: readonly string[], most = 3): string[] {
  return names
    .map(name => ({
      name,
      distance: name.includes(wanted) && wanted !== '' ? 0 : edits(wanted, name.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

/**
 * Returns the clause of that id; case does not matter.
 *
 * @throws {Failure} for an unknown id, with those it resembles
 */
export function clauseNamed<Id extends string>(wanted: string, ids: readonly Id[]): Id {
  const id = ids.find(known => known.toLowerCase() === wanted.toLowerCase())
  if (id !== undefined) return id
  const near = nearest(wanted.toLowerCase(), ids)
  throw wrongCall(`There is no clause ${wanted}; the nearest are ${near.join(', ')} (tss clauses lists all).`)
}
