import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { BankNumberField } from '../../bank/bank-number-field.tsx'
import { DebitConsent } from '../../bank/debit-consent.tsx'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { type AccountValues, EMPTY_ACCOUNT, missingOfAccount, toBankMethod } from './account-values.ts'
import { NOT_CONFIGURED } from './card-entry.tsx'
import { attachMethod, loadBpoint } from './attach/load-bpoint.ts'
import { addMethodMutation, requestAuthKey } from './methods.data.ts'

/** The dialog that stores a bank account, whose numbers go straight to BPOINT and not to our server. */
export const AddAccount = ({ details, onClose, onStored }: AddDialogProps) => {
  const [values, setValues] = useState(EMPTY_ACCOUNT)
  const { mutateAsync } = useMutation(addMethodMutation())
  const { busy, error, submit, clearError } = useSubmit(messageOf)
  const { scriptUrl } = details
  useEffect(() => {
    if (scriptUrl !== null) void loadBpoint(scriptUrl)
  }, [scriptUrl])

  const save = async (): Promise<unknown> => {
    if (scriptUrl === null) return undefined
    const { authKey = '' } = (await requestAuthKey()).fields
    await attachMethod({ url: scriptUrl, purpose: 'token', authKey }, { bank: toBankMethod(values) })
    return onStored(await mutateAsync(authKey))
  }
  const field = (name: keyof AccountValues) => ({
    value: values[name],
    onChange: (typed: string) => {
      clearError()
      setValues({ ...values, [name]: typed })
    },
    disabled: busy,
  })
  return (
    <SaveDialog
      title="Add bank account"
      saveLabel="Add"
      busy={busy}
      isReady={scriptUrl !== null}
      missing={missingOfAccount(values)}
      error={scriptUrl === null ? NOT_CONFIGURED : error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <BankNumberField label="BSB" {...field('bsb')} isBsb />
      <BankNumberField label="Account number" {...field('account')} />
      <TextField label="Account holder name" {...field('name')} autoComplete="name" maxLength={50} required />
      <DebitConsent companyName={details.companyName} />
    </SaveDialog>
  )
}
