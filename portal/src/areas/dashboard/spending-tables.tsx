import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatMoney, formatMonth } from '../../format/format.ts'
import { SPENDING_PATH } from '../../shell/navigation/paths.ts'
import { Button } from '../../ui/button/button.tsx'
import { TABLE_ROLES } from '../../ui/aria-roles.ts'
import { focusContent } from '../../ui/focus.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import styles from './spending.module.css'
import { changeText, partLabel } from './spending-texts.ts'
import { changeOf, type PartSum, type SpendingYears, withOthersTogether } from './spending-years.ts'

/** Services beyond these are one line until all are asked for. */
const MAX_SERVICES = 10

interface PartTableProps {
  label: string
  parts: readonly PartSum[]
  /** Of all services. */
  years: SpendingYears
  chosen: string | null
}

/** A table of the services and the taxes with their amounts, the largest service first; a press on a service shows its months. */
export const PartTable = ({ label, parts, years, chosen }: PartTableProps) => {
  const [isWhole, setIsWhole] = useState(false)
  const serviceCount = parts.filter(({ kind }) => kind === 'service').length
  const shortened = withOthersTogether(parts, MAX_SERVICES)
  const shown = isWhole ? parts : shortened
  return (
    <>
      <AmountTable
        label={label}
        heading="Service"
        symbol={years.symbol}
        total={years}
        rows={shown.map((part) => ({
          key: `${part.kind} ${part.serviceName}`,
          name: part.kind === 'service' ? <ServiceLink name={part.serviceName} isChosen={part.serviceName === chosen} /> : partLabel(part),
          amount: part.amount,
          before: part.before,
        }))}
      />
      {shortened !== parts && (
        <div className={styles.more}>
          <Button kind="quiet" onPress={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show fewer services' : `Show all ${serviceCount} services`}
          </Button>
        </div>
      )}
    </>
  )
}

/** A link to the spending page of one service. */
const ServiceLink = ({ name, isChosen }: { name: string; isChosen: boolean }) => (
  <Link
    to={`${SPENDING_PATH}?${new URLSearchParams({ service: name })}`}
    aria-current={isChosen ? 'true' : undefined}
    onClick={showFromTop}
  >
    {name}
  </Link>
)

/** Moves the focus to the page's content and scrolls to the top, where the figures of the chosen service stand. */
export const showFromTop = (): void => {
  focusContent()
  scrollTo(0, 0)
}

/** A table of the months with their amounts, the newest first. */
export const MonthTable = ({ label, years }: { label: string; years: SpendingYears }) => (
  <AmountTable
    label={label}
    heading="Month"
    symbol={years.symbol}
    total={years}
    rows={years.months.toReversed().map(({ month, amount, before, isRunning }) => ({
      key: month,
      name: (
        <>
          {formatMonth(month)} {isRunning && <Tag>so far</Tag>}
        </>
      ),
      amount,
      before,
    }))}
  />
)

interface AmountRow {
  key: string
  name: ReactNode
  amount: number
  before: number
}

interface AmountTableProps {
  label: string
  heading: string
  symbol: string
  rows: readonly AmountRow[]
  total: { amount: number; before: number }
}

/** A table of amounts, each beside that of a year before and with the change, and a row with their total. */
const AmountTable = ({ label, heading, symbol, rows, total }: AmountTableProps) => (
  <table className={styles.table} aria-label={label} {...TABLE_ROLES.table}>
    <thead {...TABLE_ROLES.group}>
      <tr {...TABLE_ROLES.row}>
        <th scope="col" {...TABLE_ROLES.columnHeader}>
          {heading}
        </th>
        <th scope="col" {...TABLE_ROLES.columnHeader}>
          Amount
        </th>
        <th scope="col" {...TABLE_ROLES.columnHeader}>
          A year before
        </th>
        <th scope="col" {...TABLE_ROLES.columnHeader}>
          Change
        </th>
      </tr>
    </thead>
    <tbody {...TABLE_ROLES.group}>
      {rows.map((row) => (
        <tr key={row.key} {...TABLE_ROLES.row}>
          <th scope="row" {...TABLE_ROLES.rowHeader}>
            {row.name}
          </th>
          <td {...TABLE_ROLES.cell}>{formatMoney(row.amount, symbol)}</td>
          <td {...TABLE_ROLES.cell}>{row.before === 0 ? '–' : formatMoney(row.before, symbol)}</td>
          {/* Without a year before there is nothing to compare with. */}
          <td {...TABLE_ROLES.cell}>{total.before === 0 ? '–' : changeText(changeOf(row), symbol)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot {...TABLE_ROLES.group}>
      <tr {...TABLE_ROLES.row}>
        <th scope="row" {...TABLE_ROLES.rowHeader}>
          Total
        </th>
        <td {...TABLE_ROLES.cell}>{formatMoney(total.amount, symbol)}</td>
        <td {...TABLE_ROLES.cell}>{formatMoney(total.before, symbol)}</td>
        <td {...TABLE_ROLES.cell}>{total.before === 0 ? '–' : changeText(changeOf(total), symbol)}</td>
      </tr>
    </tfoot>
  </table>
)
