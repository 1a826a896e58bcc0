import { type KeyboardEvent, useId, useState } from 'react'
import styles from './bar-chart.module.css'
import { gridlineValues } from './chart-scale.ts'
import { DRAWING_ROLES } from '../aria-roles.ts'
import { moveFocus } from './move-focus.ts'
import hidden from '../visually-hidden.module.css'

export interface Bar {
  key: string
  /** Short text under the bar. */
  label: string
  /** A longer label for the table. */
  rowLabel?: string
  value: number
  /** Short text on the bar; empty where there is no space for one. */
  valueText: string
  /** The exact value for the table, when the text on the bar is rounded. */
  rowValue?: string
  /** The tooltip on hover and focus, of one or several lines. */
  detail: string
  /** The value of a year before, as a lighter bar beside this one. */
  before?: { value: number; rowValue: string }
  /** The value still grows: the bar is hatched. */
  isRunning?: boolean
}

export interface BarChartProps {
  /** The name of the chart, such as "Latest 5 Invoices". */
  label: string
  bars: readonly Bar[]
  /** The column headings of the equivalent table: what a bar is, what its height means, and what the lighter bar's does. */
  headings: readonly [string, string, string?]
  formatTick: (value: number) => string
  /** Distance between the zero line and the topmost gridline, in pixels. */
  barHeight?: number
  gridlines?: number
  /** Called with a bar's key when it is pressed; without it the bars only show their numbers. */
  onPress?: (key: string) => void
}

const TOP_MARGIN = 24
const BOTTOM_MARGIN = 8
const BAR_WIDTH_RATIO = 0.56
/** More labels than these do not fit beside each other on a phone. */
const MAX_NARROW_LABELS = 8
const TOOLTIP_HEIGHT = 36

/** A bar chart of one series, and of the same a year before where the bars have it. Hover and focus show a tooltip, and a hidden table has the same numbers for screen readers. */
export const BarChart = ({ label, bars, headings, formatTick, barHeight = 180, gridlines = 5, onPress }: BarChartProps) => {
  const [active, setActive] = useState<number | null>(null)
  /** The bar that Tab reaches; arrows lead to the others. */
  const [tabStop, setTabStop] = useState(0)
  const hatchId = useId()
  const ticks = gridlineValues(Math.max(0, ...bars.flatMap(({ value, before }) => [value, before?.value ?? 0])), gridlines)
  const tickTexts = ticks.map(formatTick)
  const maxTick = ticks.at(-1) ?? 1
  const heightOf = (value: number): number => (Math.max(0, value) / maxTick) * barHeight
  const yOf = (value: number): number => TOP_MARGIN + barHeight - heightOf(value)
  const height = TOP_MARGIN + barHeight + BOTTOM_MARGIN
  const slotWidth = 100 / bars.length
  const activeBar = active === null ? undefined : bars[active]

  return (
    <figure className={styles.chart}>
      <svg
        className={styles.axis}
        style={{ width: `${Math.max(...tickTexts.map(({ length }) => length))}ch` }}
        height={height}
        aria-hidden="true"
      >
        {ticks.map((tick, i) => (
          <text key={tick} x="100%" y={yOf(tick) + 4} textAnchor="end">
            {tickTexts[i]}
          </text>
        ))}
      </svg>
      <div className={styles.plot}>
        <svg width="100%" height={height} {...DRAWING_ROLES.group} aria-label={label}>
          {bars.some(({ isRunning }) => isRunning) && <Hatch id={hatchId} />}
          {ticks.map((tick) => (
            <line key={tick} className={styles.gridline} x1="0" x2="100%" y1={yOf(tick)} y2={yOf(tick)} />
          ))}
          {bars.map((bar, i) => (
            <g
              key={bar.key}
              className={styles.bar}
              {...(onPress === undefined ? FIGURE_PROPS : pressProps(() => onPress(bar.key)))}
              aria-label={bar.detail}
              tabIndex={i === Math.min(tabStop, bars.length - 1) ? 0 : -1}
              onFocus={() => {
                setActive(i)
                setTabStop(i)
              }}
              onBlur={() => setActive(null)}
              onPointerEnter={() => setActive(i)}
              onPointerLeave={() => setActive(null)}
            >
              <rect className={styles.hitArea} x={`${i * slotWidth}%`} y="0" width={`${slotWidth}%`} height={height} />
              {barsOf(bar).map(({ value, className, x, width }) => (
                <rect
                  key={className}
                  className={className}
                  style={bar.isRunning === true && className === styles.fill ? { fill: `url(#${hatchId})` } : undefined}
                  x={`${(i + x) * slotWidth}%`}
                  y={yOf(value)}
                  width={`${slotWidth * width}%`}
                  height={heightOf(value)}
                  rx="4"
                />
              ))}
            </g>
          ))}
          {/* Beside the bars, not in them: a bar's name has the exact value, and a name must have every text of its button. */}
          {bars.map((bar, i) => (
            <text
              key={bar.key}
              className={styles.value}
              x={`${(i + 0.5) * slotWidth}%`}
              y={yOf(bar.value) - 8}
              textAnchor="middle"
              aria-hidden="true"
            >
              {bar.valueText}
            </text>
          ))}
        </svg>
        <div
          className={styles.labels}
          data-many={(bars.length > MAX_NARROW_LABELS && bars.every((bar) => bar.label !== '')) || undefined}
          aria-hidden="true"
        >
          {bars.map((bar) => (
            <span key={bar.key}>{bar.label}</span>
          ))}
        </div>
        {activeBar && active !== null && (
          <div
            className={styles.tooltip}
            style={{
              insetInlineStart: `${(active + 0.5) * slotWidth}%`,
              top: Math.min(yOf(activeBar.value) + 8, TOP_MARGIN + barHeight - TOOLTIP_HEIGHT),
            }}
            data-side={sideOf(active, bars.length)}
            aria-hidden="true"
          >
            {activeBar.detail}
          </div>
        )}
      </div>
      <div className={hidden.hidden}>
        <ChartTable label={label} bars={bars} headings={headings} />
      </div>
    </figure>
  )
}

/** The bars of a slot, with their places in it as shares of its width: the year before stands first. */
const barsOf = ({ value, before }: Bar) =>
  before === undefined
    ? [{ value, className: styles.fill, x: (1 - BAR_WIDTH_RATIO) / 2, width: BAR_WIDTH_RATIO }]
    : [
        { value: before.value, className: styles.before, x: 0.1, width: 0.38 },
        { value, className: styles.fill, x: 0.52, width: 0.38 },
      ]

/** The pattern of the bar whose value still grows, for an SVG. */
const Hatch = ({ id }: { id: string }) => (
  <defs>
    <pattern id={id} className={styles.hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" />
      <path d="M1.5 0v6" />
    </pattern>
  </defs>
)
const FIGURE_PROPS = { ...DRAWING_ROLES.item, onKeyDown: moveFocus }

/** The properties that make a part of a drawing a button, by pointer, Enter and Space. */
const pressProps = (press: () => void) => ({
  ...DRAWING_ROLES.button,
  onClick: press,
  onKeyDown: (event: KeyboardEvent<SVGElement>): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return moveFocus(event)
    event.preventDefault()
    press()
  },
})

/** Which side a tooltip opens to, so that it stays inside the chart. */
const sideOf = (i: number, count: number): 'start' | 'middle' | 'end' => {
  const at = (i + 0.5) / count
  if (at < 0.35) return 'start'
  return at > 0.65 ? 'end' : 'middle'
}

/** The chart's numbers as a table, for screen readers. */
const ChartTable = ({
  label,
  bars,
  headings: [barHeading, valueHeading, beforeHeading],
}: Pick<BarChartProps, 'label' | 'bars' | 'headings'>) => (
  <table>
    <caption>{label}</caption>
    <thead>
      <tr>
        <th scope="col">{barHeading}</th>
        <th scope="col">{valueHeading}</th>
        {beforeHeading !== undefined && <th scope="col">{beforeHeading}</th>}
      </tr>
    </thead>
    <tbody>
      {bars.map((bar) => (
        <tr key={bar.key}>
          <th scope="row">{bar.rowLabel ?? bar.label}</th>
          <td>{bar.rowValue ?? bar.valueText}</td>
          {beforeHeading !== undefined && <td>{bar.before?.rowValue}</td>}
        </tr>
      ))}
    </tbody>
  </table>
)
