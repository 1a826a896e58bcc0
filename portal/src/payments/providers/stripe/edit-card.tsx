import { CARD_LABELS } from '../../card/card-labels.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Card } from '@counterfoil/contract/payment-methods'
import { AddressFields } from '../../methods/address-fields.tsx'
import { messageOf } from '../../../api/call-api.ts'
import { todayUtc } from '../../../format/format.ts'
import { cardTitle } from './method-label.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { expiryProblem } from '../../card/card-expiry.ts'
import { ExpiryFields } from '../../card/expiry-fields.tsx'
import { updateCardMutation } from './methods.data.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { EditDialogProps } from '../panel.ts'
import { ADDRESS_LINES, toApiAddress, toAddressValues } from './address.ts'

/** The dialog that changes expiry, name and address of a stored card; its number cannot change. */
export const EditCard = ({ method: card, onClose }: EditDialogProps<Card>) => {
  const [month, setMonth] = useState(textOf(card.stripeCard?.expMonth))
  const [year, setYear] = useState(textOf(card.stripeCard?.year))
  const [name, setName] = useState(card.stripeCard?.name ?? '')
  const [address, setAddress] = useState(toAddressValues(card.address))
  const { mutateAsync } = useMutation(updateCardMutation())
  const { busy, error, submit } = useSubmit(messageOf)
  const problem = expiryProblem(month, year, todayUtc())

  const save = async (): Promise<void> => {
    const stripeCard = { expMonth: Number(month), year: Number(year), name: name.trim() || null }
    await mutateAsync({ id: card.id, stripeCard, address: toApiAddress(address) })
    onClose()
  }

  return (
    <SaveDialog
      title="Edit card"
      saveLabel="Save"
      busy={busy}
      missing={[problem !== undefined && 'a valid date']}
      error={error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <p>{cardTitle(card)}</p>
      <ExpiryFields month={month} year={year} onMonth={setMonth} onYear={setYear} problem={problem} disabled={busy} />
      <TextField
        label={`${CARD_LABELS.holder} (optional)`}
        value={name}
        onChange={setName}
        autoComplete="cc-name"
        maxLength={200}
        disabled={busy}
      />
      <AddressFields lines={ADDRESS_LINES} values={address} onChange={setAddress} required={[]} disabled={busy} />
    </SaveDialog>
  )
}

/** The number as text; empty for 0 and without one. */
const textOf = (part: number | null | undefined): string => (part ? String(part) : '')
