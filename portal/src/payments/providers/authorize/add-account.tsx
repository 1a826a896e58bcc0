import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { SaveDialog } from '../../save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { AccountFields } from './account-fields.tsx'
import { type AccountValues, EMPTY_ACCOUNT, toAccountBody } from './account-values.ts'
import { addAccountMutation } from './methods.data.ts'

/** Stores a bank account. */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [account, setAccount] = useState(EMPTY_ACCOUNT)
  const { mutateAsync } = useMutation(addAccountMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)
  const body = toAccountBody(account)

  const change = (values: AccountValues): void => {
    clearError()
    setAccount(values)
  }
  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      canSave={body !== null}
      error={error}
      onClose={onClose}
      onSave={() => body !== null && submit(async () => onStored(await mutateAsync(body)))}
    >
      <AccountFields values={account} onChange={change} disabled={busy} canChangeNumbers />
      <p>
        By adding this account you authorize {details.companyName} to debit it for the payments that you make here or have allowed, and
        confirm that you may give this authorization.
      </p>
    </SaveDialog>
  )
}
