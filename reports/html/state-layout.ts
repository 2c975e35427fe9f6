import { Graph, layout } from '@dagrejs/dagre'
import type { StateDiagram } from '../../fixtures/record.ts'

/** A position in a diagram, in pixels from its top left corner. */
export interface Point {
  x: number
  y: number
}

/** A state as a box; `x` and `y` are its centre. */
export interface PlacedState extends Point {
  name: string
  width: number
  height: number
}

/** A transition as a line. */
export interface PlacedTransition {
  /** Its index among the transitions of the diagram. */
  at: number
  /** The points from state to state; at least two. */
  points: Point[]
  /** The position of its number. */
  label: Point
}

export interface PlacedDiagram {
  width: number
  height: number
  states: PlacedState[]
  transitions: PlacedTransition[]
}

/** The margin in pixels, for lines that are thicker than the layout assumes. */
const MARGIN = 12
/** An upper estimate of a letter's width, and the height of a state. */
const LETTER = 7.6
const HEIGHT = 34
/** The space below a state for transitions to itself: the width of each, and the common height. */
const LOOP = { width: 46, height: 50 }

/** Places the states and transitions of a diagram so that no numbers overlap. The result is deterministic. */
export function place({ transitions }: Pick<StateDiagram, 'transitions'>): PlacedDiagram {
  const graph = new Graph({ multigraph: true })
    .setGraph({ rankdir: 'LR', nodesep: 22, edgesep: 14, ranksep: 34, marginx: MARGIN, marginy: MARGIN })
    .setDefaultEdgeLabel(() => ({}))
  const names = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))]
  const loopsOf = (name: string): number[] =>
    [...transitions.keys()].filter(at => transitions[at]!.from === name && transitions[at]!.to === name)
  for (const name of names) {
    const loops = loopsOf(name).length
    const width = Math.max(Math.ceil(name.length * LETTER) + 26, loops * LOOP.width)
    graph.setNode(name, { width, height: HEIGHT + (loops === 0 ? 0 : LOOP.height) })
  }
  for (const [at, { from, to }] of transitions.entries())
    if (from !== to) graph.setEdge(from, to, { width: 24, height: 24, labelpos: 'c' }, String(at))
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  const states = new Map(
    names.map((name): [string, PlacedState] => {
      const placed = graph.node(name) as Omit<PlacedState, 'name'>
      const top = placed.y - placed.height / 2
      return [name, { name, x: placed.x, y: top + HEIGHT / 2, width: placed.width, height: HEIGHT }]
    }),
  )
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    states: [...states.values()],
    transitions: transitions.map(({ from, to }, at) => {
      if (from === to) return loop(states.get(from)!, at, loopsOf(from))
      const { points, x, y } = graph.edge(from, to, String(at)) as { points: Point[] } & Point
      const between = points.slice(1, -1)
      const ends = [
        border(states.get(from)!, between[0] ?? { x, y }),
        border(states.get(to)!, between.at(-1) ?? { x, y }),
      ] as const
      return { at, points: [ends[0], ...between, ends[1]], label: { x, y } }
    }),
  }
}

/** Returns the line of a transition from a state to itself, below it. */
function loop({ x, y, height }: PlacedState, at: number, all: readonly number[]): PlacedTransition {
  const middle = x + (all.indexOf(at) - (all.length - 1) / 2) * LOOP.width
  const bottom = y + height / 2
  const deep = bottom + LOOP.height - 14
  return {
    at,
    points: [
      { x: middle - 8, y: bottom },
      { x: middle - 19, y: deep },
      { x: middle + 19, y: deep },
      { x: middle + 8, y: bottom },
    ],
    label: { x: middle, y: deep },
  }
}

/** Returns where a line leaves a state: on the left or right, since the space below is for transitions to itself. */
function border({ x, y, width, height }: PlacedState, to: Point): Point {
  const most = height / 2 - 7
  return {
    x: to.x < x ? x - width / 2 : x + width / 2,
    y: y + Math.max(-most, Math.min(most, (to.y - y) / 4)),
  }
}
