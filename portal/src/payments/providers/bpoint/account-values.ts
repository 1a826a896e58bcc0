import { isNumberOf, withoutSeparators } from '../../bank/bank-numbers.ts'
import { neededField } from '../../checkout/needed-field.ts'

/** A bank account as the form has it. */
export interface AccountValues {
  readonly bsb: string
  readonly account: string
  readonly name: string
}

export const EMPTY_ACCOUNT: AccountValues = { bsb: '', account: '', name: '' }

/** The most digits of an account's number. */
const MAX_ACCOUNT_DIGITS = 10

/** What is not filled in yet, or not right, in words and in the order of the form (PM-101). */
export const missingOfAccount = ({ bsb, account, name }: AccountValues): readonly (string | false)[] => [
  neededField('BSB', bsb, isNumberOf(bsb, 6, 6)),
  neededField('account number', account, isNumberOf(account, 5, MAX_ACCOUNT_DIGITS)),
  neededField('account holder name', name),
]

/** A bank account in the form that BPOINT's script takes. */
export const toBankMethod = ({ bsb, account, name }: AccountValues) => ({
  bsb: withoutSeparators(bsb),
  account: withoutSeparators(account),
  name: name.trim(),
})
