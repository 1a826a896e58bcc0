import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './bulk-payment.module.css'
import type { MethodKind, SavedMethod } from '../../payments/providers/panel.ts'
import type { BulkPayment } from './use-bulk-payment.ts'

interface ChooseMethodProps {
  readonly intent: PaymentIntent
  readonly methods: readonly SavedMethod[]
  readonly details: PaymentDetails
  readonly payment: BulkPayment
  readonly kind: MethodKind | null
  readonly onKind: (kind: MethodKind | null) => void
  /** Whether the provider's payments name the method in `cardToken`, too. */
  readonly namesInCardToken: boolean
  /** Opens the form for a new card; undefined if the provider has none. */
  readonly onNewCard: (() => void) | undefined
}

/** The saved methods to choose from. Without any, the button opens the form for a new card (BP-02). */
export const ChooseMethod = ({ intent, methods, details, payment, onKind, namesInCardToken, onNewCard }: ChooseMethodProps) => {
  const [selected, setSelected] = useState<SavedMethod | null>(null)
  const hasSavedMethods = methods.length > 0

  const select = (id: string): void => {
    const method = methods.find((candidate) => candidate.id === id) ?? null
    payment.clearError()
    setSelected(method)
    onKind(method?.kind ?? null)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!hasSavedMethods) onNewCard?.()
    else if (selected !== null)
      payment.pay(async () => ({ cardId: selected.id, type: selected.type, ...(namesInCardToken && { cardToken: selected.id }) }))
  }

  return (
    <form className={styles.methods} onSubmit={submit}>
      {hasSavedMethods && (
        <RadioGroup
          label="Pay with"
          options={methods.map((method) => ({ id: method.id, label: <MethodLabel method={method} /> }))}
          value={selected?.id ?? null}
          onChange={select}
          disabled={payment.busy}
        />
      )}
      {hasSavedMethods && onNewCard && (
        <div className={styles.link}>
          <Button kind="plain" disabled={payment.busy} onPress={onNewCard}>
            New Payment Method
          </Button>
        </div>
      )}
      {!hasSavedMethods && <p>No saved payment methods. You can pay with a new card.</p>}
      <ErrorText kind="box">{payment.error}</ErrorText>
      {intent.total > 0 && (
        <div>
          <Button type="submit" disabled={hasSavedMethods && selected === null} busy={payment.busy} busyText="Paying…">
            {hasSavedMethods ? 'Pay' : 'Continue'}
          </Button>
        </div>
      )}
      {details.paymentTypeDisclaimer !== null && <p className={styles.small}>{details.paymentTypeDisclaimer}</p>}
    </form>
  )
}

const MethodLabel = ({ method }: { method: SavedMethod }) => (
  <span className={styles.method}>
    <span>
      {method.image}
      {method.title} {method.isDefault && <Tag>Default</Tag>}
    </span>
    {method.detail !== '' && <span className={styles.small}>{method.detail}</span>}
  </span>
)
