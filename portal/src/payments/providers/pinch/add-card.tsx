import { CARD_LABELS } from '../../card-labels.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isEmail } from '../../../ui/form/is-email.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { startCardFields } from '../../card-fields.data.ts'
import { SaveDialog } from '../../save-dialog.tsx'
import type { AddDialogProps, EnteredCard } from '../panel.ts'
import { CardEntry } from './card-entry.tsx'
import { cardErrorText } from './card-error.ts'
import { addCardMutation } from './methods.data.ts'

/** Stores a card. Holder and email address are required (PM-60). */
export const AddCard = ({ details, onClose, onStored }: AddDialogProps) => {
  const [contact, setContact] = useState({ cardholder: '', email: '' })
  const { mutateAsync } = useMutation(addCardMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)
  const [cardholder, email] = [contact.cardholder.trim(), contact.email.trim()]
  const canSave = (card: EnteredCard): boolean => card.isComplete && cardholder !== '' && isEmail(email)

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
          canSave={canSave(card)}
          error={error}
          onClose={onClose}
          onSave={() => canSave(card) && submit(() => save(card))}
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
          <TextField
            label="Email"
            type="email"
            value={contact.email}
            onChange={(text) => change({ email: text })}
            autoComplete="email"
            maxLength={254}
            required
            disabled={busy}
          />
        </SaveDialog>
      )}
    </CardEntry>
  )
}
