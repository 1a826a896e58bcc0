import { useElements, useStripe } from '@stripe/react-stripe-js'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AddressFields } from '../../address-fields.tsx'
import { ScriptWait } from '../../script-wait.tsx'
import { cardToken } from './card-token.ts'
import { CardFields } from './fields.tsx'
import { StripeRoot } from './elements-root.tsx'
import type { StripeScript } from './use-script.ts'
import { useSending } from '../../../ui/form/use-submit.ts'
import { canSend, UNTOUCHED, type WidgetState } from '../../field-state.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { addCard } from '../../../areas/payment-methods/payment-methods.data.ts'
import { SaveDialog } from '../../../areas/payment-methods/save-dialog.tsx'
import type { AddProps } from '../panel.ts'
import { ADDRESS_LINES, sentAddress, typedAddress } from './address.ts'
import { cardRefusal } from './card-error.ts'

/** Stores a new card: number and code are typed into Stripe's own fields, and only their token comes to our server. */
export const AddStripeCard = (props: AddProps) => (
  <StripeRoot account={props.details}>{(script) => <CardDialog {...props} script={script} />}</StripeRoot>
)

const CardDialog = ({ details, onClose, onStored, script }: AddProps & { script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(UNTOUCHED)
  const [name, setName] = useState('')
  const [address, setAddress] = useState(typedAddress(undefined))
  const { mutateAsync } = useMutation(addCard())
  const { busy, error, send, clear } = useSending(cardRefusal)
  const isReady = stripe !== null && canSend(card) && address.country !== ''

  const type = (state: WidgetState): void => {
    clear()
    setCard(state)
  }
  const save = async (): Promise<unknown> => {
    const { line1: street, postalCode: zip, ...rest } = address
    const token = await cardToken(stripe, elements, { name: name.trim(), address: street, zip, ...rest })
    const stored = await mutateAsync({
      token,
      stripeCard: { name: name.trim() || null },
      address: sentAddress(address),
    })
    return onStored(stored)
  }

  return (
    <SaveDialog
      title="Add Card"
      words="Add"
      busy={busy}
      canSave={isReady}
      error={error}
      onClose={onClose}
      onSave={() => isReady && send(save)}
    >
      <ScriptWait script={script} />
      {script.state === 'ready' && (
        <>
          <CardFields isSplit={details.splitCardFields} disabled={busy} onChange={type} onTouch={clear} />
          <TextField label="Name on card" value={name} onChange={setName} autoComplete="cc-name" maxLength={200} disabled={busy} />
          <AddressFields lines={ADDRESS_LINES} typed={address} onType={setAddress} required={['country']} disabled={busy} />
        </>
      )}
    </SaveDialog>
  )
}
