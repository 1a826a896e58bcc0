import { isEmail } from '../../../ui/form/is-email.ts'
import { isNumberOf } from '../../bank/bank-numbers.ts'
import { neededField } from '../../checkout/needed-field.ts'

/** A bank account as it is typed, and who owns it. */
export interface AccountValues {
  readonly holder: string
  readonly email: string
  readonly bsb: string
  readonly number: string
}

export const EMPTY_ACCOUNT: AccountValues = { holder: '', email: '', bsb: '', number: '' }

/** The most digits of an account's number. */
const MAX_ACCOUNT_DIGITS = 10

/** What is not filled in yet, or not right: its owner, an address, a BSB of six digits, a number of at least five, and a ticked mandate (PM-15). */
export const missingOfAccount = ({ holder, email, bsb, number }: AccountValues, hasAgreed: boolean): readonly (string | false)[] => [
  neededField('account holder name', holder),
  neededField('email', email, isEmail(email)),
  neededField('BSB', bsb, isNumberOf(bsb, 6, 6)),
  neededField('account number', number, isNumberOf(number, 5, MAX_ACCOUNT_DIGITS)),
  !hasAgreed && 'your agreement',
]
