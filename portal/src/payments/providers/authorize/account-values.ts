import { isNumberOf, withoutSeparators } from '../../bank/bank-numbers.ts'
import { neededField } from '../../checkout/needed-field.ts'

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
/** Of a routing number and of an account's number; the most digits of both (PM-21). */
const MIN_NUMBER_LENGTH = 5
const MAX_DIGITS = { routingNumber: 9, accountNumber: 17 } as const

/** The kinds of account, as the API names them. */
export const ACCOUNT_TYPES = [
  { id: 'checking', label: 'Checking' },
  { id: 'savings', label: 'Savings' },
] as const

/** What is not filled in yet, or not right, in words and in the order of the form (PM-21). */
export const missingOfAccount = (values: AccountValues): readonly (string | false)[] => [...missingNumbers(values), ...missingNames(values)]

/** What is not filled in yet, or not right, of routing and account number. */
const missingNumbers = ({ routingNumber, accountNumber }: AccountValues) => [
  neededField('routing number', routingNumber, isNumberOf(routingNumber, MIN_NUMBER_LENGTH, MAX_DIGITS.routingNumber)),
  neededField('account number', accountNumber, isNumberOf(accountNumber, MIN_NUMBER_LENGTH, MAX_DIGITS.accountNumber)),
]

/** What is not filled in yet, or not right, of a stored account, whose numbers are masked and stay. */
export const missingNames = ({ nameOnAccount, bankName, accountType }: AccountValues): readonly (string | false)[] => [
  neededField('account name', nameOnAccount, nameOnAccount.trim() !== '' && nameOnAccount.trim().length <= MAX_NAME_LENGTH),
  neededField('bank name', bankName),
  !ACCOUNT_TYPES.some(({ id }) => id === accountType) && 'account type',
]

/** The fields of a request to store or change an account, of values of which nothing is missing. */
export const toAccountBody = (values: AccountValues) => ({
  routingNumber: withoutSeparators(values.routingNumber),
  accountNumber: withoutSeparators(values.accountNumber),
  nameOnAccount: values.nameOnAccount.trim(),
  bankName: values.bankName.trim(),
  accountType: values.accountType === 'savings' ? ('savings' as const) : ('checking' as const),
})
