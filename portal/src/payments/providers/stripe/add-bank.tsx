import { AuBankAccountElement, IbanElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useState } from 'react'
import { messageOf } from '../../../api/call-api.ts'
import { ScriptWait } from './script-status.tsx'
import { ScriptError, resultOrThrow } from './card-token.ts'
import { AuBankFields, IbanField } from './fields.tsx'
import { ElementsRoot } from './stripe-elements.tsx'
import type { StripeScript } from './use-stripe.ts'
import { useSubmit } from '../../../ui/form/use-submit.ts'
import { canSubmit, EMPTY_FIELD, type FieldState } from './field-state.ts'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { canGiveMandate } from './mandate.ts'
import { fetchSetupIntent, storeBankAccount } from '../../../areas/payment-methods/payment-methods.data.ts'
import { SaveDialog } from '../../save-dialog.tsx'
import type { AddProps } from '../panel.ts'
import { BECS_MANDATE, SEPA_MANDATE } from './mandates.ts'

interface Owner {
  readonly name: string
  readonly email: string
}

/** How one kind of debit is taken on our page. */
interface DebitKind {
  readonly kind: 'au_becs_debit' | 'sepa_debit'
  readonly title: string
  readonly Field: typeof AuBankFields
  readonly mandate: (company: string) => string
  /** Has the script confirm the account with the mandate, and gives the account's own id at Stripe. */
  readonly confirm: (stripe: Stripe, elements: StripeElements, clientSecret: string, owner: Owner) => Promise<string>
}

const BECS: DebitKind = {
  kind: 'au_becs_debit',
  title: 'Add Bank Account',
  Field: AuBankFields,
  mandate: BECS_MANDATE,
  confirm: async (stripe, elements, clientSecret, billing_details) => {
    const au_becs_debit = elements.getElement(AuBankAccountElement)
    if (au_becs_debit === null) throw new ScriptError('The account field is still loading. Try again.')
    const { setupIntent } = resultOrThrow(
      await stripe.confirmAuBecsDebitSetup(clientSecret, { payment_method: { au_becs_debit, billing_details } }),
    )
    return methodIdOf(setupIntent?.payment_method)
  },
}

const SEPA: DebitKind = {
  kind: 'sepa_debit',
  title: 'Add SEPA Account',
  Field: IbanField,
  mandate: SEPA_MANDATE,
  confirm: async (stripe, elements, clientSecret, billing_details) => {
    const sepa_debit = elements.getElement(IbanElement)
    if (sepa_debit === null) throw new ScriptError('The account field is still loading. Try again.')
    const { setupIntent } = resultOrThrow(
      await stripe.confirmSepaDebitSetup(clientSecret, { payment_method: { sepa_debit, billing_details } }),
    )
    return methodIdOf(setupIntent?.payment_method)
  },
}

const methodIdOf = (method: string | { id: string } | null | undefined): string => {
  const id = typeof method === 'string' ? method : method?.id
  if (id === undefined) throw new ScriptError('Your bank account could not be saved. Try again.')
  return id
}

/** Stores an Australian bank account for direct debit (payments.md §5, Bank account). */
export const AddAuBecs = (props: AddProps) => <AddDebit {...props} debit={BECS} />

/** Stores a European bank account by its IBAN (payments.md §5, Bank account). */
export const AddSepa = (props: AddProps) => <AddDebit {...props} debit={SEPA} />

const AddDebit = (props: AddProps & { debit: DebitKind }) => (
  <ElementsRoot account={props.details}>{(script) => <DebitDialog {...props} script={script} />}</ElementsRoot>
)

const DebitDialog = ({ details, onClose, onStored, debit, script }: AddProps & { debit: DebitKind; script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [account, setAccount] = useState(EMPTY_FIELD)
  const [owner, setOwner] = useState<Owner>({ name: '', email: '' })
  const [hasAgreed, setHasAgreed] = useState(false)
  const { busy, error, submit, clearError } = useSubmit(messageOf)
  const isReady = stripe !== null && canSubmit(account) && canGiveMandate({ ...owner, isTicked: hasAgreed })

  const changeAccount = (state: FieldState): void => {
    clearError()
    setAccount(state)
  }
  const save = async (): Promise<unknown> => {
    if (stripe === null || elements === null) throw new ScriptError('The account field is still loading. Try again.')
    const { clientSecret } = await fetchSetupIntent()
    const trimmed = { name: owner.name.trim(), email: owner.email.trim() }
    return onStored(await storeBankAccount(await debit.confirm(stripe, elements, clientSecret, trimmed), debit.kind))
  }

  return (
    <SaveDialog
      title={debit.title}
      saveLabel="Add"
      busy={busy}
      canSave={isReady}
      error={error}
      onClose={onClose}
      onSave={() => isReady && submit(save)}
    >
      <ScriptWait script={script} />
      {script.state === 'ready' && (
        <>
          <TextField
            label="Account holder name"
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
          <Checkbox checked={hasAgreed} onChange={setHasAgreed} disabled={busy}>
            {debit.mandate(details.companyName)}
          </Checkbox>
        </>
      )}
    </SaveDialog>
  )
}
