import { TIMEFRAMES } from '@counterfoil/contract/kit/timeframe'
import { useId } from 'react'
import field from '../../ui/form/field.module.css'
import { type Option, Select } from '../../ui/form/select.tsx'
import { DEFAULT_OPTION, CUSTOM_RANGE, type ReportInput, spanOfInput, spanText } from './report-input.ts'
import styles from './reports.module.css'

interface DateRangeFieldProps {
  required: boolean
  input: ReportInput
  today: string
  onChange: (part: Partial<ReportInput>) => void
}

const CUSTOM_RANGE_OPTION: Option = { id: CUSTOM_RANGE, label: 'Custom range' }

/** The days of a report in UTC: a preset or a custom range. */
export const DateRangeField = ({ required, input, today, onChange }: DateRangeFieldProps) => {
  const span = spanOfInput(input, today)
  const presets: Option[] = TIMEFRAMES.map((timeframe) => ({ id: timeframe, label: timeframe }))
  const options = [...(required ? [] : [{ id: DEFAULT_OPTION, label: 'Default' }]), ...presets, CUSTOM_RANGE_OPTION]
  /** A custom range starts with the days of the preset. */
  const select = (id: string): void => onChange({ timeframe: id as ReportInput['timeframe'], ...(id === CUSTOM_RANGE ? span : {}) })

  return (
    <div className={styles.days}>
      <Select label="Date range" options={options} value={input.timeframe} onChange={select} />
      {input.timeframe === CUSTOM_RANGE && (
        <div className={styles.pair}>
          <DayField label="From" value={input.from} onChange={(from) => onChange({ from })} />
          <DayField label="To" value={input.to} onChange={(to) => onChange({ to })} />
        </div>
      )}
      <output className={styles.range}>
        {span === undefined ? 'Choose a start day and an end day that is not before it' : span === null ? 'All days' : spanText(span)}
      </output>
    </div>
  )
}

/** A native date field with its label. */
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
