import { type RandomStream, createRandom } from '../random.ts'

const WIDTH = 800
const HEIGHT = 900

/** Draws a banner's motif in white of varying opacity; the gradient behind it has the brand's colours. */
type Draw = (random: RandomStream) => string

export type Motif = keyof typeof MOTIFS

/** The picture beside the sign-in form as SVG, 800 × 900; it may be cropped from any side. */
export const drawBanner = (banner: { readonly from: string; readonly to: string; readonly motif: Motif }): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice">` +
  `<defs><linearGradient id="g" x1="0.1" y1="0" x2="0.9" y2="1"><stop offset="0" stop-color="${banner.from}"/><stop offset="1" stop-color="${banner.to}"/></linearGradient></defs>` +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>${MOTIFS[banner.motif](createRandom(7, banner.motif))}</svg>`

/** The numbers from 0, `length` of them. */
const count = (length: number): number[] => Array.from({ length }, (_, index) => index)
/** A number with one decimal at most, for SVG. */
const short = (value: number): string => String(Math.round(value * 10) / 10)
/** A white circle as SVG. */
const dot = (x: number, y: number, r: number, opacity: number): string =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="#fff" fill-opacity="${opacity}"/>`
/** White lines as SVG, from the elements in `body`. */
const lines = (body: string, width: number, opacity: number): string =>
  `<g fill="none" stroke="#fff" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round">${body}</g>`

/** Makes the motif of circles around one point, with a few lights on them. */
const drawRings =
  (cx: number, cy: number, radii: readonly number[]): Draw =>
  (random) => {
    const circles = radii.map((r) => `<circle cx="${cx}" cy="${cy}" r="${r}"/>`).join('')
    const lights = radii.slice(1).map((r) => {
      const angle = Math.PI * (0.95 + random.fraction() * 0.85)
      return dot(cx + r * Math.cos(angle), cy + r * Math.sin(angle), random.int(40, 65) / 10, 0.9)
    })
    return lines(circles, 1.5, 0.17) + lights.join('') + dot(cx, cy, 11, 0.95)
  }

/** Makes the motif of many soft lines that run beside one another and swell. */
const drawStream =
  (upright: boolean): Draw =>
  (random) => {
    const sway = random.int(60, 90)
    const run = (index: number): string => {
      const at = 130 + index * 31
      const swell = sway * (0.4 + Math.sin(index / 4.2))
      const curve = `M-20 ${at}C220 ${short(at - swell)} 300 ${short(at + swell * 1.5)} 470 ${short(at + swell * 0.2)}S760 ${short(at - swell)} 960 ${short(at + swell * 0.4)}`
      return `<path d="${curve}" stroke-opacity="${short(0.1 + (index % 5 === 0 ? 0.3 : 0.1))}"/>`
    }
    const body = lines(count(21).map(run).join(''), 1.6, 0.2)
    return upright ? `<g transform="rotate(62 400 450) translate(-60 -40) scale(1.15)">${body}</g>` : body
  }

/** Stars of several sizes; the bright ones are joined. */
const sky: Draw = (random) => {
  const faint = count(90).map(() => dot(random.int(0, WIDTH), random.int(0, HEIGHT), random.int(6, 16) / 10, 0.35))
  const bright = [
    [470, 190, 9],
    [300, 380, 8],
    [610, 345, 8],
    [455, 690, 11],
    [548, 480, 5],
  ] as const
  const connections = lines('<path d="M470 190 455 690M300 380 610 345"/>', 1.2, 0.28)
  return faint.join('') + connections + bright.map(([x, y, r]) => dot(x, y, r, 0.95) + dot(x, y, r * 2.6, 0.12)).join('')
}

/** Makes the motif of layers of land under a disc: dunes, or table mountains. */
const drawLand =
  (isStepped: boolean): Draw =>
  (random) => {
    const ridge = (layer: number): string => {
      const base = 430 + layer * 108
      const path = count(9).map((index) => {
        const [x, y] = [index * 108 - 60, base + random.int(-62, 44)]
        return isStepped ? `L${x} ${y}h${random.int(62, 84)}` : `S${x - 54} ${y - 20} ${x} ${y}`
      })
      return `<path d="M-120 ${base}${path.join('')}L1100 ${base}V1000H-120z" fill-opacity="${short(0.1 + layer * 0.02)}"/>`
    }
    return `${dot(565, 290, 140, 0.1)}${dot(565, 290, 92, 0.8)}<g fill="#1a0510">${count(5).map(ridge).join('')}</g>`
  }

/** Makes the motif of a field of triangles or squares, some of them lit. */
const drawLattice =
  (corners: 3 | 4): Draw =>
  (random) => {
    const side = 100
    const cell = (index: number): string => {
      const [column, row] = [index % 9, Math.floor(index / 9)]
      const glow = short(random.pick([0, 0, 0.1, 0.2, 0.3]) * (0.4 + row / 16))
      const [x, y] = [column * side - 50, row * side]
      const flip = (column + row) % 2 === 0
      const d =
        corners === 4 ? `M${x + 6} ${y + 6}h88v88h-88z` : `M${x} ${flip ? y + side : y}h${side * 2}l-${side} ${flip ? -side : side}z`
      return glow === '0' ? '' : `<path d="${d}" fill-opacity="${glow}"/>`
    }
    return `<g fill="#fff">${count(81).map(cell).join('')}</g>`
  }

/** Chevrons, one inside the other. */
const chevrons: Draw = () =>
  lines(
    count(11)
      .map(
        (index) => `<path d="M${-240 + index * 20} ${1080 - index * 8}L400 ${index * 92 - 60}l${640 - index * 20} ${1140 - index * 100}"/>`,
      )
      .join(''),
    2,
    0.16,
  ) + dot(400, 308, 8, 0.95)

/** A low sun over fields that run to the horizon. */
const fields: Draw = () => {
  const rays = count(25).map((index) => `<path d="M400 560 ${index * 130 - 1160} 900"/>`)
  const beams = count(19).map((index) => {
    const angle = (Math.PI * (index + 0.5)) / 19
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    return `<path d="M${short(400 + 190 * c)} ${short(560 - 190 * s)}L${short(400 + 560 * c)} ${short(560 - 560 * s)}"/>`
  })
  const sun = '<path d="M250 560a150 150 0 0 1 300 0z" fill="#fff" fill-opacity="0.85"/>'
  return lines(rays.join(''), 1.6, 0.26) + lines(beams.join(''), 1.6, 0.2) + lines('<path d="M-20 560h840"/>', 1.6, 0.5) + sun
}

/** Leaning ellipses with something travelling on each. */
const orbits: Draw = (random) => {
  const paths = count(7).map((index) => `<ellipse cx="420" cy="470" rx="${150 + index * 88}" ry="${62 + index * 46}"/>`)
  const planets = count(6).map((index) => {
    const angle = random.fraction() * Math.PI * 2
    return dot(420 + (150 + index * 88) * Math.cos(angle), 470 + (62 + index * 46) * Math.sin(angle), random.int(5, 14), 0.9)
  })
  return `<g transform="rotate(-28 420 470)">${lines(paths.join(''), 1.5, 0.2)}${planets.join('')}</g>${dot(420, 470, 54, 0.9)}`
}

const MOTIFS = {
  rings: drawRings(560, 640, [90, 180, 280, 390, 510, 640]),
  arcs: drawRings(400, 930, [120, 220, 320, 420, 520, 620, 720, 820]),
  waves: drawStream(false),
  river: drawStream(true),
  sky,
  dunes: drawLand(false),
  mesas: drawLand(true),
  triangles: drawLattice(3),
  squares: drawLattice(4),
  chevrons,
  fields,
  orbits,
} as const satisfies Record<string, Draw>
