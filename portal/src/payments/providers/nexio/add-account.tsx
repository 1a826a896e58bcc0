import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { BankNumberField } from '../../bank/bank-number-field.tsx'
import { withoutSeparators } from '../../bank/bank-numbers.ts'
import { DebitConsent } from '../../bank/debit-consent.tsx'
import { ReceiptEmail } from '../../checkout/receipt-email.tsx'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { type AccountValues, EMPTY_ACCOUNT, missingOfAccount } from './account.ts'
import { addBankAccountMutation } from './methods.data.ts'
import { encryptDigits } from './number-key.ts'
import { useNumberKey } from './use-number-key.ts'

/** The dialog that stores a bank account. The account's number is encrypted in the browser, so that only Nexio can read it. */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [account, setAccount] = useState(EMPTY_ACCOUNT)
  const { key, error: keyError } = useNumberKey(details.publishableKey)
  const { mutateAsync } = useMutation(addBankAccountMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)

  const field = (name: keyof AccountValues) => ({
    value: account[name],
    onChange: (text: string) => {
      clearError()
      setAccount({ ...account, [name]: text })
    },
    disabled: busy,
  })
  const save = async (): Promise<unknown> => {
    const { holder, routing, number, email, address } = account
    if (key === null) return undefined
    const stored = await mutateAsync({
      routingNumber: withoutSeparators(routing),
      encryptedBankAccountNumber: encryptDigits(key, withoutSeparators(number)),
      accountHolderName: holder.trim(),
      email: email.trim(),
      billingAddress: address.trim(),
      lastFour: withoutSeparators(number).slice(-4),
    })
    return onStored(stored)
  }

  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      isReady={key !== null}
      missing={missingOfAccount(account)}
      error={keyError ?? error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <TextField label="Account holder name" {...field('holder')} autoComplete="name" maxLength={200} required />
      <BankNumberField label="Routing number" {...field('routing')} />
      <BankNumberField label="Account number" {...field('number')} />
      <ReceiptEmail label="Email" {...field('email')} />
      <TextField label="Address (optional)" {...field('address')} autoComplete="billing street-address" maxLength={200} />
      <DebitConsent companyName={details.companyName} />
    </SaveDialog>
  )
}
