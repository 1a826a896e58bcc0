/** Draws a mark on a field of 40 × 40 in the brand's ink and accent. */
type Mark = (ink: string, accent: string) => string

export type MarkName = keyof typeof MARKS

/** A square with round corners over the whole field, as SVG. */
const tile = (fill: string): string => `<rect x="1" y="1" width="38" height="38" rx="11" fill="${fill}"/>`
/** A circle over the whole field, as SVG. */
const disc = (fill: string): string => `<circle cx="20" cy="20" r="19" fill="${fill}"/>`
/** A hexagon over the whole field, as SVG. */
const hexagon = (fill: string): string => `<path d="M20 1 36.5 10.5v19L20 39 3.5 29.5v-19z" fill="${fill}"/>`
/** A circle as SVG. */
const dot = (x: number, y: number, r: number, fill: string): string => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
/** A path as SVG that is stroked and not filled. */
const line = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
/** A path as SVG that is filled and not stroked. */
const shape = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`

/** A filled star with `points` points around (x, y), as SVG. */
const star = (x: number, y: number, points: number, outer: number, inner: number, fill: string): string => {
  const corner = (index: number): string => {
    const angle = (Math.PI * index) / points - Math.PI / 2
    const radius = index % 2 === 0 ? outer : inner
    return `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`
  }
  return shape(`M${Array.from({ length: points * 2 }, (_, index) => corner(index)).join('L')}z`, fill)
}

export const MARKS = {
  cloud: (ink, accent) =>
    tile(ink) + line('M8 25.5c5-17 19-17 24 0', '#fff', 3.4) + line('M14.2 26c2.6-8 9-8 11.6 0', accent, 3) + dot(20, 27.6, 2.7, '#fff'),
  waves: (ink, accent) =>
    disc(ink) +
    line('M6 16c4.7-5 9.3-5 14 0s9.3 5 14 0', '#fff', 3) +
    line('M6 23.5c4.7-5 9.3-5 14 0s9.3 5 14 0', accent, 3) +
    line('M10 30.5c3.3-3.6 6.7-3.6 10 0s6.7 3.6 10 0', '#fff', 3),
  summit: (ink, accent) => shape('M20 3 38 37h-9.5L20 20.5 11.5 37H2z', ink) + shape('M20 25.5 26 37H14z', accent),
  river: (ink, accent) => hexagon(ink) + line('M14 7c10 8-8 14 2 26', '#fff', 3.2) + line('M22.5 6.5c10 8-8 14 2 26', accent, 3.2),
  beacon: (ink, accent) => disc(ink) + star(20, 22.5, 5, 9, 3.8, '#fff') + line('M9.5 15.5a12.5 12.5 0 0 1 21 0', accent, 2.8),
  sunrise: (ink, accent) =>
    shape('M6 22a14 14 0 0 1 28 0z', accent) + line('M3 26.5h34', ink, 3.4) + line('M8 32h24', ink, 3.4) + line('M14 37.3h12', ink, 3.4),
  leaf: (ink, accent) =>
    shape(
      'M20 2l3.8 7.2 4.2-2-1.3 9 6.3-5.2 1.2 4 4.8.2-3.2 6.3 2 2.2-9.6 5.6.8 3.2-7.4-1.3V38h-3.2v-6.8l-7.4 1.3.8-3.2-9.6-5.6 2-2.2L1 15.2l4.8-.2 1.2-4 6.3 5.2-1.3-9 4.2 2z',
      ink,
    ) + line('M20 27V15m0 9 5.5-5.5M20 24l-5.5-5.5', accent, 2),
  cross: (ink, accent) =>
    tile(ink) +
    star(20, 8.8, 4, 5.2, 1.7, '#fff') +
    star(10.2, 18.6, 4, 4.8, 1.6, '#fff') +
    star(29.6, 16, 4, 4.8, 1.6, '#fff') +
    star(20, 31.4, 4, 5.6, 1.8, accent) +
    star(25.4, 22.6, 4, 3, 1.1, '#fff'),
  mesa: (ink, accent) =>
    shape('M12 8h16v9h4v8h3.5L39 33H1l3.5-8H8v-8h4z', ink) + line('M8.5 21.5h23', accent, 2.4) + line('M12.5 13h15', accent, 2.4),
  dune: (ink, accent) => disc(accent) + shape('M1.3 23C9 15 15 17 21 22s11 5 17.6-1A19 19 0 0 1 1.3 23z', ink) + dot(27, 11.5, 4, '#fff'),
  page: (ink, accent) =>
    `<rect x="5" y="3" width="30" height="34" rx="4" fill="none" stroke="${ink}" stroke-width="3.2"/>` +
    line('M12.5 13h15M12.5 20h15', ink, 3) +
    line('M12.5 27h8', accent, 3),
  orbit: (ink, accent) =>
    dot(20, 20, 9.5, ink) +
    `<ellipse cx="20" cy="20" rx="18" ry="6.8" transform="rotate(-28 20 20)" fill="none" stroke="${accent}" stroke-width="2.6"/>` +
    shape('M11.6 15.6A9.5 9.5 0 0 1 28.4 15.6z', ink) +
    dot(34.3, 9.6, 3.3, ink),
} as const satisfies Record<string, Mark>
