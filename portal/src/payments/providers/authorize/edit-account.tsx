import type { AuthorizeAccount } from '@counterfoil/contract/providers/authorize'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { EditDialogProps } from '../panel.ts'
import { AccountFields } from './account-fields.tsx'
import { type AccountValues, missingNames, toAccountBody } from './account-values.ts'
import { updateAccountMutation } from './methods.data.ts'
import { accountTitle } from './saved-methods.ts'

/** The dialog that changes the names and the kind of a stored bank account; its numbers go back masked, as they came. */
export const EditAccount = ({ method, onClose }: EditDialogProps<AuthorizeAccount>) => {
  const [account, setAccount] = useState<AccountValues>({
    routingNumber: method.routingNumber ?? '',
    accountNumber: method.accountNumber ?? '',
    nameOnAccount: method.nameOnAccount ?? '',
    bankName: method.bankName ?? '',
    accountType: method.accountType ?? '',
  })
  const { mutateAsync } = useMutation(updateAccountMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)

  const change = (values: AccountValues): void => {
    clearError()
    setAccount(values)
  }
  const save = async (): Promise<void> => {
    await mutateAsync({ id: method.id, ...toAccountBody(account) })
    onClose()
  }
  return (
    <SaveDialog
      title="Edit bank account"
      saveLabel="Save"
      busy={busy}
      missing={missingNames(account)}
      error={error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <p>{accountTitle(method)}</p>
      <AccountFields values={account} onChange={change} disabled={busy} canChangeNumbers={false} />
    </SaveDialog>
  )
}
