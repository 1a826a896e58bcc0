import { isNumberOf } from '../../bank/bank-numbers.ts'
import { neededField } from '../../checkout/needed-field.ts'
import { isEmailOrEmpty } from '../../checkout/receipt-email.tsx'

/** A bank account as it is typed. */
export interface AccountValues {
  readonly holder: string
  readonly routing: string
  readonly number: string
  readonly email: string
  readonly address: string
}

export const EMPTY_ACCOUNT: AccountValues = { holder: '', routing: '', number: '', email: '', address: '' }

const MAX_DIGITS = { routing: 9, number: 17 } as const

/** What is not filled in yet, or not right: a routing number has nine digits, an account number more than five (PM-50). */
export const missingOfAccount = ({ holder, routing, number, email }: AccountValues): readonly (string | false)[] => [
  neededField('account holder name', holder),
  neededField('routing number', routing, isNumberOf(routing, MAX_DIGITS.routing, MAX_DIGITS.routing)),
  neededField('account number', number, isNumberOf(number, 6, MAX_DIGITS.number)),
  !isEmailOrEmpty(email) && 'a valid email',
]
