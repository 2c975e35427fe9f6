/** A position in a plot; `null` for a gap. */
export type Place = readonly [x: number, y: number] | null

/** The drawing of a series: one path through connected points, dots for isolated ones. */
interface Drawn {
  path: string
  dots: { x: number; y: number }[]
}

/** Returns a line with gaps. Coordinates have one decimal and are relative, to stay short. */
export function linePath(places: readonly Place[]): Drawn {
  const drawn: Drawn = { path: '', dots: [] }
  let stretch: [x: number, y: number][] = []
  const end = (): void => {
    const [first, ...rest] = stretch
    stretch = []
    if (first === undefined) return
    if (rest.length === 0) drawn.dots.push({ x: first[0] / 10, y: first[1] / 10 })
    else drawn.path += `M${first[0] / 10} ${first[1] / 10}l${relative([first, ...rest])}`
  }
  for (const place of places) {
    if (place === null) end()
    // In tenths, so that rounding errors do not accumulate.
    else stretch.push([Math.round(place[0] * 10), Math.round(place[1] * 10)])
  }
  end()
  return drawn
}

function relative(stretch: readonly (readonly [number, number])[]): string {
  return stretch
    .slice(1)
    .map(([x, y], at) => {
      const [beforeX, beforeY] = stretch[at]!
      return `${(x - beforeX) / 10} ${(y - beforeY) / 10}`
    })
    .join(' ')
}

/** Rounds a coordinate to one decimal. */
export const tenth = (value: number): number => Math.round(value * 10) / 10
