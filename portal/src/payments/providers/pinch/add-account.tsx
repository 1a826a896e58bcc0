import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { startCardFields } from '../../card/card-fields.data.ts'
import { BankNumberField } from '../../bank/bank-number-field.tsx'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { EMPTY_ACCOUNT, missingOfAccount, type AccountValues } from './account.ts'
import { createAccountToken } from './create-token.ts'
import { addBankAccountMutation } from './methods.data.ts'

const FIELDS = [
  { name: 'holder', label: 'Account holder name', autoComplete: 'name', maxLength: 200 },
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email', maxLength: 254 },
] as const

/** The mandate of an Australian bank account: what its owner agrees to. */
const mandateText = (legalName: string): string =>
  `By providing your bank account details, you agree to this Direct Debit Request, and authorise ${legalName} and Pinch Payments, its payment service provider, to debit your account through the Bulk Electronic Clearing System (BECS) for any amounts separately communicated to you. You certify that you are either an account holder or an authorised signatory on the account listed above.`

/**
 * The dialog that stores an Australian bank account for direct debit. Its number goes straight to Pinch, and our server gets a token only.
 */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [account, setAccount] = useState(EMPTY_ACCOUNT)
  const [hasAgreed, setHasAgreed] = useState(false)
  const { mutateAsync } = useMutation(addBankAccountMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)

  const change = (name: keyof AccountValues, text: string): void => {
    clearError()
    setAccount({ ...account, [name]: text })
  }
  const field = (name: keyof AccountValues) => ({
    value: account[name],
    onChange: (text: string) => change(name, text),
    disabled: busy,
  })
  const save = async (): Promise<unknown> => {
    const paymentMethodId = await createAccountToken({ account: details, startCardFields }, account)
    const owner = { accountHolderName: account.holder.trim(), email: account.email.trim() }
    return onStored(await mutateAsync({ paymentMethodId, paymentMethodType: 'au_becs_debit', ...owner }))
  }

  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      missing={missingOfAccount(account, hasAgreed)}
      error={error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      {FIELDS.map(({ name, ...more }) => (
        <TextField key={name} {...more} {...field(name)} required />
      ))}
      <BankNumberField label="BSB" {...field('bsb')} isBsb />
      <BankNumberField label="Account number" {...field('number')} />
      <Checkbox checked={hasAgreed} onChange={setHasAgreed} required disabled={busy}>
        {mandateText(details.companyName)}
      </Checkbox>
    </SaveDialog>
  )
}
