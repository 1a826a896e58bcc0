import { CARD_LABELS } from '../../card/card-labels.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { startCardFields } from '../../card/card-fields.data.ts'
import { neededField } from '../../checkout/needed-field.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { CardInput, type EnteringCard, type ReadCard } from './card-input.tsx'
import { cardErrorText } from './card-error.ts'
import { cardTypeOf } from './card-type.ts'
import { addCardMutation } from './methods.data.ts'
import { EMPTY_PAYER, missingOfPayer, trimmedPayer } from './payer.ts'
import { PayerFields } from './payer-fields.tsx'

/** The dialog that stores a card with its holder and who pays with it. */
export const AddCard = ({ details, onClose, onStored }: AddDialogProps) => {
  const [holder, setHolder] = useState('')
  const [payer, setPayer] = useState(EMPTY_PAYER)
  const { mutateAsync } = useMutation(addCardMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)

  const save = async (card: EnteringCard): Promise<unknown> => {
    const stored = await mutateAsync({ ...toCardBody(await card.read()), cardHolderName: holder.trim(), customer: trimmedPayer(payer) })
    return onStored(stored)
  }
  const changeHolder = (name: string): void => {
    clearError()
    setHolder(name)
  }
  const changePayer = (changed: typeof payer): void => {
    clearError()
    setPayer(changed)
  }

  return (
    <CardInput account={details} startCardFields={startCardFields} disabled={busy} onEdit={clearError}>
      {(card) => (
        <SaveDialog
          title="Add card"
          saveLabel="Add"
          busy={busy}
          missing={[neededField('name on card', holder), ...card.missing, ...missingOfPayer(payer)]}
          error={card.error ?? error}
          onClose={onClose}
          onSave={() => submit(() => save(card))}
        >
          <TextField
            label={CARD_LABELS.holder}
            value={holder}
            onChange={changeHolder}
            autoComplete="cc-name"
            maxLength={200}
            required
            disabled={busy}
          />
          {card.fields}
          <PayerFields payer={payer} onChange={changePayer} disabled={busy} />
        </SaveDialog>
      )}
    </CardInput>
  )
}

/** The card in the request that stores it: a token, or its parts with the number encrypted. */
const toCardBody = (card: ReadCard) => {
  if ('token' in card) return { token: card.token }
  const { encryptedNumber, firstSix, lastFour, month, year, code } = card
  return { firstSix, lastFour, cvv: code, cardType: cardTypeOf(firstSix), expirationMonth: month, expirationYear: year, encryptedNumber }
}
