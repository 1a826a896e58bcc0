import { CARD_LABELS } from '../../card/card-labels.ts'
import type { NexioCard } from '@counterfoil/contract/providers/nexio'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { todayUtc } from '../../../format/format.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { expiryProblem } from '../../card/card-expiry.ts'
import { ExpiryFields } from '../../card/expiry-fields.tsx'
import { neededField } from '../../checkout/needed-field.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { EditDialogProps } from '../panel.ts'
import { updateCardMutation } from './methods.data.ts'
import { missingOfPayer, toPayer, trimmedPayer } from './payer.ts'
import { PayerFields } from './payer-fields.tsx'
import { cardTitle } from './saved-methods.ts'

/** The dialog that changes expiry, holder and payer of a stored card; its number cannot change. */
export const EditCard = ({ method: card, onClose }: EditDialogProps<NexioCard>) => {
  const { expirationMonth, expirationYear, cardHolderName, customer } = card.nexioCard ?? {}
  const [month, setMonth] = useState(String(expirationMonth ?? ''))
  const [year, setYear] = useState(String(expirationYear ?? ''))
  const [holder, setHolder] = useState(cardHolderName ?? '')
  const [payer, setPayer] = useState(toPayer(customer))
  const { mutateAsync } = useMutation(updateCardMutation())
  const { busy, error, submit } = useSubmit(messageOf)
  const problem = expiryProblem(month, year, todayUtc())

  const save = async (): Promise<void> => {
    await mutateAsync({
      id: card.id,
      expirationMonth: Number(month),
      expirationYear: Number(year),
      cardHolderName: holder.trim(),
      customer: trimmedPayer(payer),
    })
    onClose()
  }

  return (
    <SaveDialog
      title="Edit card"
      saveLabel="Save"
      busy={busy}
      missing={[problem !== undefined && 'a valid date', neededField('name on card', holder), ...missingOfPayer(payer)]}
      error={error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <p>{cardTitle(card)}</p>
      <ExpiryFields month={month} year={year} onMonth={setMonth} onYear={setYear} problem={problem} disabled={busy} />
      <TextField
        label={CARD_LABELS.holder}
        value={holder}
        onChange={setHolder}
        autoComplete="cc-name"
        maxLength={200}
        required
        disabled={busy}
      />
      <PayerFields payer={payer} onChange={setPayer} disabled={busy} />
    </SaveDialog>
  )
}
