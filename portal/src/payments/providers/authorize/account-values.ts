/** A bank account as the form has it. */
export interface AccountValues {
  readonly routingNumber: string
  readonly accountNumber: string
  readonly nameOnAccount: string
  readonly bankName: string
  /** checking or savings; empty while nothing is chosen. */
  readonly accountType: string
}

export const EMPTY_ACCOUNT: AccountValues = { routingNumber: '', accountNumber: '', nameOnAccount: '', bankName: '', accountType: '' }

export const MAX_NAME_LENGTH = 22
const MIN_NUMBER_LENGTH = 5

/** The kinds of account, as the API names them. */
export const ACCOUNT_TYPES = [
  { id: 'checking', label: 'Checking' },
  { id: 'savings', label: 'Savings' },
] as const

type AccountType = (typeof ACCOUNT_TYPES)[number]['id']

/**
 * The fields of a request; null while something is missing (PM-21): both numbers with five characters, the names, and the kind of account.
 */
export const toAccountBody = (values: AccountValues) => {
  const { routingNumber, accountNumber, nameOnAccount, bankName } = trimAll(values)
  const accountType = ACCOUNT_TYPES.find(({ id }) => id === values.accountType)?.id satisfies AccountType | undefined
  const isLongEnough = routingNumber.length >= MIN_NUMBER_LENGTH && accountNumber.length >= MIN_NUMBER_LENGTH
  const isNamed = nameOnAccount !== '' && nameOnAccount.length <= MAX_NAME_LENGTH && bankName !== ''
  return isLongEnough && isNamed && accountType !== undefined
    ? { routingNumber, accountNumber, nameOnAccount, bankName, accountType }
    : null
}

const trimAll = (values: AccountValues): AccountValues => ({
  routingNumber: values.routingNumber.trim(),
  accountNumber: values.accountNumber.trim(),
  nameOnAccount: values.nameOnAccount.trim(),
  bankName: values.bankName.trim(),
  accountType: values.accountType,
})
