import { CARD_LABELS } from '../../card/card-labels.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isEmail } from '../../../ui/form/is-email.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { startCardFields } from '../../card/card-fields.data.ts'
import { neededField } from '../../checkout/needed-field.ts'
import { ReceiptEmail } from '../../checkout/receipt-email.tsx'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps, EnteredCard } from '../panel.ts'
import { CardEntry } from './card-entry.tsx'
import { cardErrorText } from './card-error.ts'
import { addCardMutation } from './methods.data.ts'

/** The dialog that stores a card, which goes straight to Pinch. Holder and email address are required (PM-60). */
export const AddCard = ({ details, onClose, onStored }: AddDialogProps) => {
  const [contact, setContact] = useState({ cardholder: '', email: '' })
  const { mutateAsync } = useMutation(addCardMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)
  const [cardholder, email] = [contact.cardholder.trim(), contact.email.trim()]

  const change = (changes: Partial<typeof contact>): void => {
    clearError()
    setContact({ ...contact, ...changes })
  }
  const save = async (card: EnteredCard): Promise<unknown> => {
    const { cardToken: token = '' } = await card.toPayment({ name: cardholder })
    return onStored(await mutateAsync({ token, cardholder, email }))
  }

  return (
    <CardEntry account={details} startCardFields={startCardFields} disabled={busy} onEdit={clearError}>
      {(card) => (
        <SaveDialog
          title="Add card"
          saveLabel="Add"
          busy={busy}
          missing={[neededField('name on card', cardholder), ...card.missing, neededField('email', email, isEmail(email))]}
          error={error}
          onClose={onClose}
          onSave={() => submit(() => save(card))}
        >
          <TextField
            label={CARD_LABELS.holder}
            value={contact.cardholder}
            onChange={(text) => change({ cardholder: text })}
            autoComplete="cc-name"
            maxLength={200}
            required
            disabled={busy}
          />
          {card.fields}
          <ReceiptEmail label="Email" value={contact.email} onChange={(text) => change({ email: text })} required disabled={busy} />
        </SaveDialog>
      )}
    </CardEntry>
  )
}
