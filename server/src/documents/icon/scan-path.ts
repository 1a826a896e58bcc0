import type { Path } from 'fontkit'

export type Point = readonly [number, number]

/** How many straight pieces stand in for a curve. */
const CURVE_STEPS = 12
/** How many lines are looked at in a row of pixels. */
const LINES_PER_ROW = 5

/** A glyph's outlines as polygons. TrueType fonts have straight lines and quadratic curves. */
export const flattenPath = (commands: Path['commands']): Point[][] => {
  const outlines: Point[][] = []
  for (const { command, args } of commands) {
    const [x = 0, y = 0, endX = 0, endY = 0] = args
    const outline = outlines.at(-1)
    if (command === 'moveTo') outlines.push([[x, y]])
    else if (command === 'lineTo') outline?.push([x, y])
    else if (command === 'quadraticCurveTo') outline?.push(...curvePoints(outline.at(-1) ?? [x, y], [x, y], [endX, endY]))
  }
  return outlines
}

/** The points of a quadratic curve, without its first. */
const curvePoints = ([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point): Point[] =>
  Array.from({ length: CURVE_STEPS }, (_, at) => {
    const t = (at + 1) / CURVE_STEPS
    const between = (a: number, b: number, c: number): number => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c
    return [between(x0, x1, x2), between(y0, y1, y2)]
  })

/** The rows of a square of pixels: of each pixel the share, 0 to 1, that lies inside the outlines (non-zero winding). */
export const fillRows = (outlines: readonly (readonly Point[])[], size: number): number[][] =>
  Array.from({ length: size }, (_, y) => {
    const row = Array.from({ length: size }, () => 0)
    for (let line = 0; line < LINES_PER_ROW; line++)
      for (const [from, to] of insideSpans(outlines, y + (line + 0.5) / LINES_PER_ROW)) addSpan(row, from, to)
    return row
  })

/** Adds to each pixel of a row the share that a span of one line covers. */
const addSpan = (row: number[], from: number, to: number): void => {
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(row.length, to); x++)
    row[x] = Math.min(1, (row[x] ?? 0) + (Math.min(to, x + 1) - Math.max(from, x)) / LINES_PER_ROW)
}

/** The stretches of a horizontal line, from x to x, that lie inside the outlines. */
const insideSpans = (outlines: readonly (readonly Point[])[], y: number): Point[] => {
  const crossings = outlines.flatMap((outline) => crossingsOf(outline, y)).toSorted((a, b) => a.x - b.x)
  const spans: Point[] = []
  let winding = 0
  for (const [at, { x, turn }] of crossings.entries()) {
    winding += turn
    const next = crossings[at + 1]
    if (winding !== 0 && next !== undefined) spans.push([x, next.x])
  }
  return spans
}

/** Where an outline crosses a horizontal line, and whether upwards or downwards. */
const crossingsOf = (outline: readonly Point[], y: number): { x: number; turn: number }[] =>
  outline.flatMap(([x1, y1], at) => {
    const [x2, y2] = outline[(at + 1) % outline.length] ?? [x1, y1]
    return y1 <= y === y2 <= y ? [] : [{ x: x1 + ((y - y1) / (y2 - y1)) * (x2 - x1), turn: y1 <= y ? 1 : -1 }]
  })
