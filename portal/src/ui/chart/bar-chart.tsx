import { useState } from 'react'
import styles from './bar-chart.module.css'
import { gridlineValues } from './chart-scale.ts'
import { DRAWING_ROLES } from '../aria-roles.ts'
import hidden from '../visually-hidden.module.css'

export interface Bar {
  key: string
  /** Short text under the bar. */
  label: string
  /** A longer label for the table. */
  rowLabel?: string
  value: number
  /** Short text on the bar. */
  valueText: string
  /** The exact value for the table, when the text on the bar is rounded. */
  rowValue?: string
  /** The tooltip on hover and focus. */
  detail: string
}

export interface BarChartProps {
  /** The name of the chart, such as "Latest 5 Invoices". */
  label: string
  bars: readonly Bar[]
  /** The two column headings of the equivalent table: what a bar is, and what its height means. */
  headings: readonly [string, string]
  formatTick: (value: number) => string
  /** Distance between the zero line and the topmost gridline, in pixels. */
  barHeight?: number
  gridlines?: number
}

const TOP_MARGIN = 24
const BOTTOM_MARGIN = 8
const BAR_WIDTH_RATIO = 0.56
const TOOLTIP_HEIGHT = 36

/** A bar chart of one series. Hover and focus show a tooltip, and a hidden table has the same numbers for screen readers. */
export const BarChart = ({ label, bars, headings, formatTick, barHeight = 180, gridlines = 5 }: BarChartProps) => {
  const [active, setActive] = useState<number | null>(null)
  const ticks = gridlineValues(Math.max(0, ...bars.map((bar) => bar.value)), gridlines)
  const maxTick = ticks.at(-1) ?? 1
  const heightOf = (value: number): number => (Math.max(0, value) / maxTick) * barHeight
  const yOf = (value: number): number => TOP_MARGIN + barHeight - heightOf(value)
  const height = TOP_MARGIN + barHeight + BOTTOM_MARGIN
  const slotWidth = 100 / bars.length
  const activeBar = active === null ? undefined : bars[active]

  return (
    <figure className={styles.chart}>
      <svg className={styles.axis} height={height} aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} x="100%" y={yOf(tick) + 4} textAnchor="end">
            {formatTick(tick)}
          </text>
        ))}
      </svg>
      <div className={styles.plot}>
        <svg width="100%" height={height} {...DRAWING_ROLES.group} aria-label={label}>
          {ticks.map((tick) => (
            <line key={tick} className={styles.gridline} x1="0" x2="100%" y1={yOf(tick)} y2={yOf(tick)} />
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
              <rect className={styles.hitArea} x={`${i * slotWidth}%`} y="0" width={`${slotWidth}%`} height={height} />
              <rect
                className={styles.fill}
                x={`${(i + (1 - BAR_WIDTH_RATIO) / 2) * slotWidth}%`}
                y={yOf(bar.value)}
                width={`${slotWidth * BAR_WIDTH_RATIO}%`}
                height={heightOf(bar.value)}
                rx="4"
              />
              <text className={styles.value} x={`${(i + 0.5) * slotWidth}%`} y={yOf(bar.value) - 8} textAnchor="middle">
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

/** Which side a tooltip opens to, so that it stays inside the chart. */
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
