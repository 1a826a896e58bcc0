import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { DebitConsent } from '../../bank/debit-consent.tsx'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { AccountFields } from './account-fields.tsx'
import { type AccountValues, EMPTY_ACCOUNT, missingOfAccount, toAccountBody } from './account-values.ts'
import { addBankAccountMutation } from './methods.data.ts'

/** The dialog that stores a bank account, whose numbers go to our server. */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [account, setAccount] = useState(EMPTY_ACCOUNT)
  const { mutateAsync } = useMutation(addBankAccountMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)

  const change = (values: AccountValues): void => {
    clearError()
    setAccount(values)
  }
  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      missing={missingOfAccount(account)}
      error={error}
      onClose={onClose}
      onSave={() => submit(async () => onStored(await mutateAsync(toAccountBody(account))))}
    >
      <AccountFields values={account} onChange={change} disabled={busy} canChangeNumbers />
      <DebitConsent companyName={details.companyName} />
    </SaveDialog>
  )
}
