import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { SaveDialog } from '../../save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { type Account, canAddAccount, EMPTY_ACCOUNT } from './account.ts'
import { addAccountMutation } from './methods.data.ts'
import { encryptDigits } from './number-key.ts'
import { useNumberKey } from './use-number-key.ts'

const FIELDS = [
  { name: 'holder', label: 'Account holder name', autoComplete: 'name', maxLength: 200, required: true },
  { name: 'routing', label: 'Routing number', inputMode: 'numeric', autoComplete: 'off', maxLength: 9, required: true },
  { name: 'number', label: 'Account number', inputMode: 'numeric', autoComplete: 'off', maxLength: 17, required: true },
  { name: 'email', label: 'Email', autoComplete: 'email', maxLength: 254, required: false },
  { name: 'address', label: 'Address', autoComplete: 'billing street-address', maxLength: 200, required: false },
] as const

/** Stores a bank account. Its number is encrypted here, so that only Nexio can read it. */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [account, setAccount] = useState(EMPTY_ACCOUNT)
  const { key, error: keyError } = useNumberKey(details.publishableKey)
  const { mutateAsync } = useMutation(addAccountMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)
  const canSave = key !== null && canAddAccount(account)

  const change = (name: keyof Account, text: string): void => {
    clearError()
    setAccount({ ...account, [name]: text })
  }
  const save = async (): Promise<unknown> => {
    const { holder, routing, number, email, address } = account
    if (key === null) return undefined
    const stored = await mutateAsync({
      routingNumber: routing.trim(),
      encryptedBankAccountNumber: encryptDigits(key, number.trim()),
      accountHolderName: holder.trim(),
      email: email.trim(),
      billingAddress: address.trim(),
      lastFour: number.trim().slice(-4),
    })
    return onStored(stored)
  }

  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      canSave={canSave}
      error={keyError ?? error}
      onClose={onClose}
      onSave={() => canSave && submit(save)}
    >
      {FIELDS.map(({ name, ...field }) => (
        <TextField key={name} {...field} value={account[name]} onChange={(text) => change(name, text)} disabled={busy} />
      ))}
    </SaveDialog>
  )
}
