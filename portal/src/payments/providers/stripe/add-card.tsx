import { CARD_LABELS } from '../../card/card-labels.ts'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AddressFields } from '../../methods/address-fields.tsx'
import { ScriptStatus } from './elements/script-status.tsx'
import { createCardToken } from './elements/card-token.ts'
import { CardFields } from './elements/card-fields.tsx'
import { StripeForm } from './elements/stripe-form.tsx'
import type { StripeScript } from './elements/use-stripe-script.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { canSubmit, EMPTY_FIELD, type FieldState } from './elements/field-state.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { addCardMutation } from './methods.data.ts'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import { neededField } from '../../checkout/needed-field.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { ADDRESS_LINES, toApiAddress, toAddressValues } from './address.ts'
import { cardErrorText } from './card-error.ts'

/** The dialog that stores a new card. Number and code are entered in Stripe's own fields; our server gets their token only. */
export const AddCard = (props: AddDialogProps) => (
  <StripeForm account={props.details}>{(script) => <CardDialog {...props} script={script} />}</StripeForm>
)

/** The dialog itself: Stripe's fields, the billing address and the name. */
const CardDialog = ({ details, onClose, onStored, script }: AddDialogProps & { script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(EMPTY_FIELD)
  const [name, setName] = useState('')
  const [address, setAddress] = useState(toAddressValues(undefined))
  const { mutateAsync } = useMutation(addCardMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)

  const changeCard = (state: FieldState): void => {
    clearError()
    setCard(state)
  }
  const save = async (): Promise<unknown> => {
    const { line1: street, postalCode: zip, ...rest } = address
    const token = await createCardToken(stripe, elements, { name: name.trim(), address: street, zip, ...rest })
    const stored = await mutateAsync({
      token,
      stripeCard: { name: name.trim() || null },
      address: toApiAddress(address),
    })
    return onStored(stored)
  }

  return (
    <SaveDialog
      title="Add card"
      saveLabel="Add"
      busy={busy}
      isReady={stripe !== null}
      missing={[!canSubmit(card) && CARD_DETAILS, neededField('country', address.country)]}
      error={error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <ScriptStatus script={script} />
      {script.state === 'ready' && (
        <>
          <CardFields isSplit={details.splitCardFields} disabled={busy} onChange={changeCard} onFocus={clearError} />
          <AddressFields lines={ADDRESS_LINES} values={address} onChange={setAddress} required={['country']} disabled={busy} />
          <TextField
            label={`${CARD_LABELS.holder} (optional)`}
            value={name}
            onChange={setName}
            autoComplete="cc-name"
            maxLength={200}
            disabled={busy}
          />
        </>
      )}
    </SaveDialog>
  )
}
