import type { Span } from '@counterfoil/contract/kit/day'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './usage.module.css'
import { type DateRangeProblem, dateRangeProblem } from './usage-timeframe.ts'

export interface CustomRangeProps {
  /** The range that the page shows, with which the fields are filled at first. */
  readonly span: Span
  readonly onApply: (span: Span) => void
}

/** The form for the first and the last day, in UTC. An invalid range stays in the fields, with the reason below the field to change. */
export const CustomRange = ({ span, onApply }: CustomRangeProps) => {
  const [from, setFrom] = useState<string>(span.from)
  const [to, setTo] = useState<string>(span.to)
  const [error, setError] = useState<DateRangeProblem | null>(null)

  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const found = dateRangeProblem(from, to)
    setError(found)
    if (found === null) onApply({ from, to })
    else event.currentTarget.querySelector<HTMLElement>(`[name="${found.field}"]`)?.focus()
  }
  const errorOf = (field: DateRangeProblem['field']): string | undefined => (error?.field === field ? error.text : undefined)

  return (
    <form className={styles.range} onSubmit={apply} noValidate aria-label="Custom range">
      <TextField label="From (UTC)" name="from" type="date" value={from} onChange={setFrom} error={errorOf('from')} />
      <TextField label="To (UTC)" name="to" type="date" value={to} onChange={setTo} error={errorOf('to')} />
      <Button kind="quiet" type="submit">
        Show
      </Button>
    </form>
  )
}
