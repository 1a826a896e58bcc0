import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { startCardFields } from '../../card/card-fields.data.ts'
import { isEmailOrEmpty, ReceiptEmail } from '../../checkout/receipt-email.tsx'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps, EnteredCard } from '../panel.ts'
import { CardEntry } from './card-entry.tsx'
import { cardErrorText } from './card-error.ts'
import { addCardMutation } from './methods.data.ts'

/** The dialog that stores a card with its security code, phone and email. */
export const AddCard = ({ details, onClose, onStored }: AddDialogProps) => {
  const [contact, setContact] = useState({ phone: '', email: '' })
  const { mutateAsync } = useMutation(addCardMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)

  const change = (changes: Partial<typeof contact>): void => {
    clearError()
    setContact({ ...contact, ...changes })
  }
  const save = async (card: EnteredCard): Promise<unknown> => {
    const [phone, email] = [contact.phone.trim(), contact.email.trim()]
    return onStored(await mutateAsync({ ...toCardBody(await card.toPayment({ name: '' })), phone, email }))
  }

  return (
    <CardEntry account={details} startCardFields={startCardFields} disabled={busy} onEdit={clearError}>
      {(card) => (
        <SaveDialog
          title="Add card"
          saveLabel="Add"
          busy={busy}
          missing={[...card.missing, !isEmailOrEmpty(contact.email) && 'a valid email']}
          error={error}
          onClose={onClose}
          onSave={() => submit(() => save(card))}
        >
          {card.fields}
          <TextField
            label="Phone (optional)"
            type="tel"
            value={contact.phone}
            onChange={(phone) => change({ phone })}
            autoComplete="tel"
            maxLength={30}
            disabled={busy}
          />
          <ReceiptEmail label="Email" value={contact.email} onChange={(email) => change({ email })} disabled={busy} />
        </SaveDialog>
      )}
    </CardEntry>
  )
}

/** The card in the request that stores it: a token, or number, month, year and security code. */
const toCardBody = ({ cardToken, cardNumber = '', expirationDate = '', cardCode = '' }: Awaited<ReturnType<EnteredCard['toPayment']>>) => {
  if (cardToken !== undefined) return { token: cardToken }
  const [expYear = '', expMonth = ''] = expirationDate.split('-')
  return { cardNumber, cvdValue: cardCode, expMonth, expYear }
}
