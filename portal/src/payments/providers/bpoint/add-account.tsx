import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { SaveDialog } from '../../save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { type AccountValues, EMPTY_ACCOUNT, formatBsb, toBankMethod } from './account-values.ts'
import { attachMethod, loadBpoint } from './attach/load-bpoint.ts'
import { addMethodMutation, openKey } from './methods.data.ts'

/** Stores a bank account, which goes straight to BPOINT. */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [values, setValues] = useState(EMPTY_ACCOUNT)
  const { mutateAsync } = useMutation(addMethodMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)
  const { scriptUrl } = details
  const bank = toBankMethod(values)
  useEffect(() => {
    if (scriptUrl !== null) void loadBpoint(scriptUrl)
  }, [scriptUrl])

  const save = async (url: string, method: NonNullable<typeof bank>): Promise<unknown> => {
    const { authKey = '' } = (await openKey()).fields
    await attachMethod({ url, purpose: 'token', authKey }, { bank: method })
    return onStored(await mutateAsync(authKey))
  }
  const field = (name: keyof AccountValues, format = (typed: string) => typed) => ({
    value: values[name],
    onChange: (typed: string) => {
      clearError()
      // A separator can be deleted, too.
      setValues({ ...values, [name]: values[name].startsWith(typed) ? typed : format(typed) })
    },
    required: true,
    disabled: busy,
  })
  const digits = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      canSave={bank !== null && scriptUrl !== null}
      error={error}
      onClose={onClose}
      onSave={() => bank !== null && scriptUrl !== null && submit(() => save(scriptUrl, bank))}
    >
      <TextField label="BSB" {...field('bsb', formatBsb)} {...digits} maxLength={7} />
      <TextField label="Account number" {...field('account')} {...digits} maxLength={12} />
      <TextField label="Account holder name" {...field('name')} autoComplete="name" maxLength={50} />
      <p>
        By adding this account you authorize {details.companyName} to debit it for the payments that you make here or have allowed, and
        confirm that you may give this authorization.
      </p>
    </SaveDialog>
  )
}
