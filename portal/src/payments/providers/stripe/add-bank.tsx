import { AuBankAccountElement, IbanElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useState } from 'react'
import { messageOf, ShownError } from '../../../api/call-api.ts'
import { ScriptStatus } from './elements/script-status.tsx'
import { resultOrThrow } from './elements/card-token.ts'
import { AuBankFields, IbanField } from './elements/bank-fields.tsx'
import { StripeForm } from './elements/stripe-form.tsx'
import type { StripeScript } from './elements/use-stripe-script.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { canSubmit, EMPTY_FIELD, type FieldState } from './elements/field-state.ts'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { fetchSetupIntent, storeBankAccount } from './methods.data.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'
import { becsMandateText, MIN_NAME_LENGTH, missingForMandate, sepaMandateText } from './mandates.ts'

interface Owner {
  readonly name: string
  readonly email: string
}

/** A kind of direct debit whose account is entered on our page. */
interface DebitKind {
  readonly kind: 'au_becs_debit' | 'sepa_debit'
  readonly title: string
  readonly Field: typeof AuBankFields
  /** What the field takes, in a sentence. */
  readonly accountWords: string
  readonly mandateText: (legalName: string) => string
  /** Confirms the account and its mandate with Stripe's script, and returns the id of the Stripe payment method. */
  readonly confirm: (stripe: Stripe, elements: StripeElements, clientSecret: string, owner: Owner) => Promise<string>
}

const BECS: DebitKind = {
  kind: 'au_becs_debit',
  title: 'Add bank account',
  Field: AuBankFields,
  accountWords: 'BSB and account number',
  mandateText: becsMandateText,
  confirm: async (stripe, elements, clientSecret, billing_details) => {
    const au_becs_debit = elements.getElement(AuBankAccountElement)
    if (au_becs_debit === null) throw new ShownError('The account field is still loading. Try again.')
    const { setupIntent } = resultOrThrow(
      await stripe.confirmAuBecsDebitSetup(clientSecret, { payment_method: { au_becs_debit, billing_details } }),
    )
    return methodIdOf(setupIntent?.payment_method)
  },
}

const SEPA: DebitKind = {
  kind: 'sepa_debit',
  title: 'Add SEPA account',
  Field: IbanField,
  accountWords: 'IBAN',
  mandateText: sepaMandateText,
  confirm: async (stripe, elements, clientSecret, billing_details) => {
    const sepa_debit = elements.getElement(IbanElement)
    if (sepa_debit === null) throw new ShownError('The account field is still loading. Try again.')
    const { setupIntent } = resultOrThrow(
      await stripe.confirmSepaDebitSetup(clientSecret, { payment_method: { sepa_debit, billing_details } }),
    )
    return methodIdOf(setupIntent?.payment_method)
  },
}

/** The id of a Stripe payment method, which may be the id itself. Throws a ShownError without one. */
const methodIdOf = (method: string | { id: string } | null | undefined): string => {
  const id = typeof method === 'string' ? method : method?.id
  if (id === undefined) throw new ShownError('Your bank account could not be saved. Try again.')
  return id
}

/** The dialog that stores an Australian bank account for direct debit (PM-11). */
export const AddAuBecs = (props: AddDialogProps) => <AddDebit {...props} debit={BECS} />

/** The dialog that stores a European bank account by its IBAN (PM-14). */
export const AddSepa = (props: AddDialogProps) => <AddDebit {...props} debit={SEPA} />

/** The dialog for a bank account, with Stripe's script. */
const AddDebit = (props: AddDialogProps & { debit: DebitKind }) => (
  <StripeForm account={props.details}>{(script) => <DebitDialog {...props} script={script} />}</StripeForm>
)

/**
 * The dialog with holder, email, Stripe's field of the account, and the mandate. Stripe's script confirms the account; our server stores
 * it.
 */
const DebitDialog = ({ details, onClose, onStored, debit, script }: AddDialogProps & { debit: DebitKind; script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [account, setAccount] = useState(EMPTY_FIELD)
  const [owner, setOwner] = useState<Owner>({ name: '', email: '' })
  const [hasAgreed, setHasAgreed] = useState(false)
  const { busy, error, submit, clearError } = useSubmit(messageOf)
  const missing = missingForMandate({ ...owner, hasAgreed }, canSubmit(account) ? [] : [debit.accountWords])

  const changeAccount = (state: FieldState): void => {
    clearError()
    setAccount(state)
  }
  const save = async (): Promise<unknown> => {
    if (stripe === null || elements === null) throw new ShownError('The account field is still loading. Try again.')
    const { clientSecret } = await fetchSetupIntent()
    const trimmed = { name: owner.name.trim(), email: owner.email.trim() }
    return onStored(await storeBankAccount(await debit.confirm(stripe, elements, clientSecret, trimmed), debit.kind))
  }

  return (
    <SaveDialog
      title={debit.title}
      saveLabel="Add"
      busy={busy}
      isReady={stripe !== null}
      missing={missing}
      error={error}
      onClose={onClose}
      onSave={() => submit(save)}
    >
      <ScriptStatus script={script} />
      {script.state === 'ready' && (
        <>
          <TextField
            label="Account holder name"
            hint={`As on your bank account, ${MIN_NAME_LENGTH} letters or more`}
            value={owner.name}
            onChange={(name) => setOwner({ ...owner, name })}
            autoComplete="name"
            maxLength={200}
            required
            disabled={busy}
          />
          <TextField
            label="Email"
            type="email"
            value={owner.email}
            onChange={(email) => setOwner({ ...owner, email })}
            autoComplete="email"
            maxLength={254}
            required
            disabled={busy}
          />
          <debit.Field disabled={busy} onChange={changeAccount} onFocus={clearError} />
          <Checkbox checked={hasAgreed} onChange={setHasAgreed} required disabled={busy}>
            <small>{debit.mandateText(details.companyName)}</small>
          </Checkbox>
        </>
      )}
    </SaveDialog>
  )
}
