import { CARD_LABELS } from '../../card/card-labels.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { neededField } from '../../checkout/needed-field.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps, EnteredCard } from '../panel.ts'
import { CardEntry } from './card-entry.tsx'
import { cardErrorText } from './card-error.ts'
import { addMethodMutation, requestAuthKey } from './methods.data.ts'

/** The dialog that stores a card, which goes straight to BPOINT. The holder's name is required (PM-100). */
export const AddCard = ({ details, onClose, onStored }: AddDialogProps) => {
  const [name, setName] = useState('')
  const { mutateAsync } = useMutation(addMethodMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)

  const save = async (card: EnteredCard): Promise<unknown> => {
    const { cardToken = '' } = await card.toPayment({ name })
    return onStored(await mutateAsync(cardToken))
  }

  return (
    <CardEntry account={details} startCardFields={requestAuthKey} disabled={busy} onEdit={clearError} purpose="token">
      {(card) => (
        <SaveDialog
          title="Add card"
          saveLabel="Add"
          busy={busy}
          missing={[neededField('name on card', name), ...card.missing]}
          error={error}
          onClose={onClose}
          onSave={() => submit(() => save(card))}
        >
          <TextField
            label={CARD_LABELS.holder}
            value={name}
            onChange={(typed) => {
              clearError()
              setName(typed)
            }}
            autoComplete="cc-name"
            maxLength={100}
            required
            disabled={busy}
          />
          {card.fields}
        </SaveDialog>
      )}
    </CardEntry>
  )
}
