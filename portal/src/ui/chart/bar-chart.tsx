import { useState } from 'react'
import styles from './bar-chart.module.css'
import { gridlineValues } from './chart-scale.ts'
import { DRAWING_ROLES } from '../aria-roles.ts'
import hidden from '../visually-hidden.module.css'

export interface Bar {
  key: string
  /** Under the bar; short. */
  label: string
  /** In the table, where a longer name than the label says more. */
  rowLabel?: string
  value: number
  /** On the bar; short. */
  valueText: string
  /** In the table, where the bar's text is rounded. */
  rowValue?: string
  /** What is told of the bar on hover and on focus. */
  detail: string
}

export interface BarChartProps {
  /** What is drawn, as in "Latest 5 invoices". */
  label: string
  bars: readonly Bar[]
  /** Heads of the table that says the same: what a bar is, and what its height means. */
  headings: readonly [string, string]
  formatTick: (value: number) => string
  /** From the zero line to the topmost gridline, in pixels. */
  barHeight?: number
  gridlines?: number
}

const TOP_MARGIN = 24
const BOTTOM_MARGIN = 8
const BAR_WIDTH_RATIO = 0.56
const TOOLTIP_HEIGHT = 36

/** One series of upright bars with direct labels; hover and focus tell each bar's detail, and a hidden table has the same numbers. */
export const BarChart = ({ label, bars, headings, formatTick, barHeight = 180, gridlines = 5 }: BarChartProps) => {
  const [active, setActive] = useState<number | null>(null)
  const ticks = gridlineValues(Math.max(0, ...bars.map((bar) => bar.value)), gridlines)
  const maxTick = ticks.at(-1) ?? 1
  const heightOf = (value: number): number => (Math.max(0, value) / maxTick) * barHeight
  const y = (value: number): number => TOP_MARGIN + barHeight - heightOf(value)
  const height = TOP_MARGIN + barHeight + BOTTOM_MARGIN
  const slot = 100 / bars.length
  const activeBar = active === null ? undefined : bars[active]

  return (
    <figure className={styles.chart}>
      <svg className={styles.axis} height={height} aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} x="100%" y={y(tick) + 4} textAnchor="end">
            {formatTick(tick)}
          </text>
        ))}
      </svg>
      <div className={styles.plot}>
        <svg width="100%" height={height} {...DRAWING_ROLES.group} aria-label={label}>
          {ticks.map((tick) => (
            <line key={tick} className={styles.gridline} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
          ))}
          {bars.map((bar, i) => (
            <g
              key={bar.key}
              className={styles.bar}
              {...DRAWING_ROLES.item}
              aria-label={bar.detail}
              tabIndex={0}
              onFocus={() => setActive(i)}
              onBlur={() => setActive(null)}
              onPointerEnter={() => setActive(i)}
              onPointerLeave={() => setActive(null)}
            >
              <rect className={styles.reach} x={`${i * slot}%`} y="0" width={`${slot}%`} height={height} />
              <rect
                className={styles.fill}
                x={`${(i + (1 - BAR_WIDTH_RATIO) / 2) * slot}%`}
                y={y(bar.value)}
                width={`${slot * BAR_WIDTH_RATIO}%`}
                height={heightOf(bar.value)}
                rx="4"
              />
              <text className={styles.value} x={`${(i + 0.5) * slot}%`} y={y(bar.value) - 8} textAnchor="middle">
                {bar.valueText}
              </text>
            </g>
          ))}
        </svg>
        <div className={styles.labels} aria-hidden="true">
          {bars.map((bar) => (
            <span key={bar.key}>{bar.label}</span>
          ))}
        </div>
        {activeBar && active !== null && (
          <div
            className={styles.told}
            style={{
              insetInlineStart: `${(active + 0.5) * slot}%`,
              top: Math.min(y(activeBar.value) + 8, TOP_MARGIN + barHeight - TOOLTIP_HEIGHT),
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

/** The first bars' detail opens towards the end, the last ones' towards the start, so that none leaves the card. */
const sideOf = (i: number, count: number): 'start' | 'middle' | 'end' => {
  const at = (i + 0.5) / count
  if (at < 0.35) return 'start'
  return at > 0.65 ? 'end' : 'middle'
}

const ChartTable = ({ label, bars, headings: [barHeading, valueHeading] }: Pick<BarChartProps, 'label' | 'bars' | 'headings'>) => (
  <table>
    <caption>{label}</caption>
    <thead>
      <tr>
        <th scope="col">{barHeading}</th>
        <th scope="col">{valueHeading}</th>
      </tr>
    </thead>
    <tbody>
      {bars.map((bar) => (
        <tr key={bar.key}>
          <th scope="row">{bar.rowLabel ?? bar.label}</th>
          <td>{bar.rowValue ?? bar.valueText}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
