import { TIMEFRAMES } from '@counterfoil/contract/kit/day'
import { useId } from 'react'
import field from '../../ui/form/field.module.css'
import { type Option, Select } from '../../ui/form/select.tsx'
import { DEFAULT, OWN_DAYS, type ReportChoice, spanOfChoice, spanText } from './report-input.ts'
import styles from './reports.module.css'

interface DateRangeFieldProps {
  required: boolean
  choice: ReportChoice
  today: string
  onChange: (part: Partial<ReportChoice>) => void
}

const OWN: Option = { id: OWN_DAYS, label: 'Other days' }

/** The days of a report: a preset or days of one's own, in UTC. */
export const DateRangeField = ({ required, choice, today, onChange }: DateRangeFieldProps) => {
  const span = spanOfChoice(choice, today)
  const presets: Option[] = TIMEFRAMES.map((timeframe) => ({ id: timeframe, label: timeframe }))
  const options = [...(required ? [] : [{ id: DEFAULT, label: 'Default' }]), ...presets, OWN]
  /** Own days begin as those that were shown. */
  const choose = (id: string): void => onChange({ timeframe: id as ReportChoice['timeframe'], ...(id === OWN_DAYS ? span : {}) })

  return (
    <div className={styles.days}>
      <Select label="Date range" options={options} value={choice.timeframe} onChange={choose} />
      {choice.timeframe === OWN_DAYS && (
        <div className={styles.pair}>
          <DayField label="From" value={choice.from} onChange={(from) => onChange({ from })} />
          <DayField label="To" value={choice.to} onChange={(to) => onChange({ to })} />
        </div>
      )}
      <output className={styles.range}>
        {span === undefined ? 'Choose two days, the first not after the last' : span === null ? 'All days' : spanText(span)}
      </output>
    </div>
  )
}

const DayField = ({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) => {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <input id={id} type="date" className={field.input} value={value} required onChange={(event) => onChange(event.target.value)} />
    </div>
  )
}
