import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { BankNumberField } from '../../bank/bank-number-field.tsx'
import { ACCOUNT_TYPES, type AccountValues, MAX_NAME_LENGTH } from './account-values.ts'

interface AccountFieldsProps {
  readonly values: AccountValues
  readonly onChange: (values: AccountValues) => void
  readonly disabled: boolean
  /** False where the account is stored: its numbers cannot be changed. */
  readonly canChangeNumbers: boolean
}

/** The fields of a bank account. */
export const AccountFields = ({ values, onChange, disabled, canChangeNumbers }: AccountFieldsProps) => {
  const field = (name: keyof AccountValues) => ({
    value: values[name],
    onChange: (text: string) => onChange({ ...values, [name]: text }),
    required: true,
    disabled,
  })
  const number = (name: 'routingNumber' | 'accountNumber') => ({
    ...field(name),
    disabled: disabled || !canChangeNumbers,
  })
  return (
    <>
      <BankNumberField label="Routing number" {...number('routingNumber')} />
      <BankNumberField label="Account number" {...number('accountNumber')} />
      <TextField label="Account name" {...field('nameOnAccount')} autoComplete="name" maxLength={MAX_NAME_LENGTH} />
      <TextField label="Bank name" {...field('bankName')} autoComplete="off" maxLength={50} />
      <NativeSelect label="Account type" options={ACCOUNT_TYPES} {...field('accountType')} />
    </>
  )
}
