import type { Invoice } from '@counterfoil/contract/invoices'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { PayInvoicesButton } from '../../../payments/invoices/pay-invoices-button.tsx'
import { useAccount } from '../../../shell/account/account.tsx'
import { invoiceNouns } from '../../../shell/account/invoice-labels.ts'
import { Button } from '../../../ui/button/button.tsx'
import { countText } from '../download/archive-texts.ts'
import { dueText, isOnItsWay, onItsWayText, sumsByCurrency } from '../invoice-sums.tsx'
import styles from './pay-bar.module.css'
import { allDue, isPayable, leftOutText, obstacleText } from './pay-selection.ts'

export interface PayBarProps {
  /** What the filter leaves. */
  readonly invoices: readonly Invoice[]
  /** The selected invoices that can be paid. */
  readonly selected: readonly Invoice[]
  readonly onSelect: (ids: ReadonlySet<string>) => void
}

/** The bar that pays what is selected; it stays in view while anything can be paid (EASE-04, INV-02). */
export const PayBar = ({ invoices, selected, onSelect }: PayBarProps) => {
  const { settings } = useAccount()
  const nouns = invoiceNouns(settings)
  const barRef = useRef<HTMLElement>(null)
  const payable = invoices.filter(isPayable)
  const currencies = sumsByCurrency(payable)
  const obstacle = obstacleText(selected)
  const onItsWay = invoices.filter(isOnItsWay)
  const kind = selected.length > 0 ? 'plain' : currencies.length === 1 ? 'primary' : 'quiet'
  const note = obstacle || leftOutText(payable.length, selected.length, nouns)

  const isChosen = (due: readonly Invoice[]): boolean => due.length === selected.length && due.every((one) => selected.includes(one))
  /** The button goes away with what it did, so the focus moves on. */
  const select = (chosen: readonly Invoice[]): void => {
    flushSync(() => onSelect(new Set(chosen.map(({ id }) => String(id)))))
    barRef.current?.querySelector('button')?.focus()
  }

  return (
    <section ref={barRef} className={styles.bar} aria-label="Payment" data-in-view={payable.length + selected.length > 0 || undefined}>
      <output className={styles.count}>{selectedOrPayableText(payable, selected, nouns)}</output>
      {selected.length === 0 && onItsWay.length > 0 && <span className={styles.onItsWay}>{onItsWayText(onItsWay)}</span>}
      {payable.length + selected.length > 0 && (
        <span className={styles.choices} data-first={selected.length === 0 || undefined}>
          {currencies
            .map(({ currency }) => ({ currency, due: allDue(invoices, currency) }))
            .filter(({ due }) => !isChosen(due))
            .map(({ currency, due }) => (
              <Button key={currency} kind={kind} onPress={() => select(due)}>
                {currencies.length === 1 ? 'Select all due' : `Select all due in ${currency}`}
              </Button>
            ))}
          {selected.length > 0 && (
            <Button kind="plain" label="Clear selection" onPress={() => select([])}>
              Clear
            </Button>
          )}
        </span>
      )}
      <PayInvoicesButton invoiceIds={obstacle === '' ? selected.map(({ id }) => id) : []}>
        {selected.length === 0 || obstacle !== '' ? 'Pay' : `Pay ${countText(selected.length, nouns)}, ${dueText(selected)}`}
      </PayInvoicesButton>
      {note !== '' && <output className={styles.note}>{note}</output>}
    </section>
  )
}

/**
 * How many invoices are selected, as in "3 invoices selected". With none selected, how many can be paid and what is due of them, as in
 * "12 invoices to pay, $340.00".
 */
const selectedOrPayableText = (
  payable: readonly Invoice[],
  selected: readonly Invoice[],
  nouns: { singular: string; plural: string },
): string => {
  if (selected.length > 0) return `${countText(selected.length, nouns)} selected`
  return payable.length === 0 ? 'Nothing to pay in this list' : `${countText(payable.length, nouns)} to pay, ${dueText(payable)}`
}
