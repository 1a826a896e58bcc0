import styles from './public.module.css'

const RINGS = [70, 150, 245, 355, 480, 620, 775]

/** Dots on the rings; `at` is the angle in degrees. */
const NODES = [
  { ring: 150, at: 205 },
  { ring: 245, at: 318 },
  { ring: 245, at: 128 },
  { ring: 355, at: 222 },
  { ring: 480, at: 262 },
  { ring: 480, at: 172 },
  { ring: 620, at: 236 },
].map(({ ring, at }) => ({
  x: Math.round(520 + ring * Math.cos((at * Math.PI) / 180)),
  y: Math.round(610 + ring * Math.sin((at * Math.PI) / 180)),
}))

/** Rings in the brand's colour, in place of a banner. Until the banner is there the ground stays plain, so that no picture replaces another. */
export const PageArt = () => (
  <svg className={styles.rings} viewBox="0 0 800 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    {RINGS.map((radius) => (
      <circle key={radius} cx="520" cy="610" r={radius} />
    ))}
    {NODES.map(({ x, y }) => (
      <circle key={x} className={styles.node} cx={x} cy={y} r="5" />
    ))}
    <circle className={styles.source} cx="520" cy="610" r="11" />
  </svg>
)
