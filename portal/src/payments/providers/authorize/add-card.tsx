import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AddressFields, type AddressLine, type AddressValues } from '../../methods/address-fields.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { startCardFields } from '../../card/card-fields.data.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps, EnteredCard } from '../panel.ts'
import { CardEntry } from './card-entry.tsx'
import { cardErrorText } from './card-error.ts'
import { addCardMutation } from './methods.data.ts'

type LineKey = 'company' | 'address' | 'city' | 'state' | 'zip'

const LINES: readonly AddressLine<LineKey>[] = [
  { key: 'address', autoComplete: 'address-line1' },
  { key: 'city', autoComplete: 'address-level2' },
  { key: 'state', autoComplete: 'address-level1' },
  { key: 'zip', autoComplete: 'postal-code' },
  { key: 'company', autoComplete: 'organization' },
]

const EMPTY_ADDRESS: AddressValues<LineKey> = { company: '', address: '', city: '', state: '', zip: '', country: '' }

/** The dialog that stores a card, without its security code, with its billing address. */
export const AddCard = ({ details, onClose, onStored }: AddDialogProps) => {
  const [address, setAddress] = useState(EMPTY_ADDRESS)
  const { mutateAsync } = useMutation(addCardMutation())
  const { busy, error, submit, clearError } = useSubmit(cardErrorText)

  const changeAddress = (values: AddressValues<LineKey>): void => {
    clearError()
    setAddress(values)
  }
  const save = async (card: EnteredCard): Promise<unknown> => {
    const { cardToken, cardNumber, expirationDate } = await card.toPayment({ name: '' })
    const entered = cardToken === undefined ? { cardNumber: cardNumber ?? '', expirationDate: expirationDate ?? '' } : { token: cardToken }
    return onStored(await mutateAsync({ ...entered, ...address, addressCountry: address.country }))
  }

  return (
    <CardEntry account={details} startCardFields={startCardFields} disabled={busy} onEdit={clearError} hasCode={false}>
      {(card) => (
        <SaveDialog
          title="Add card"
          saveLabel="Add"
          busy={busy}
          missing={card.missing}
          error={error}
          onClose={onClose}
          onSave={() => submit(() => save(card))}
        >
          {card.fields}
          <AddressFields lines={LINES} values={address} onChange={changeAddress} required={[]} disabled={busy} />
        </SaveDialog>
      )}
    </CardEntry>
  )
}
