import { isEmail } from '../../../ui/form/is-email.ts'

/** A bank account as it is typed, and who owns it. */
export interface TypedAccount {
  readonly holder: string
  readonly email: string
  readonly bsb: string
  readonly number: string
}

export const EMPTY_ACCOUNT: TypedAccount = { holder: '', email: '', bsb: '', number: '' }

const digitsOf = (text: string): string => text.replaceAll(/[ -]/g, '')

/** "000001" becomes "000-001". */
export const formatBsb = (typed: string): string => {
  const digits = typed.replaceAll(/\D/g, '').slice(0, 6)
  return digits.length > 3 ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits
}

/** True when an account can be stored: its owner, a BSB of six digits, a number of at least five, and a ticked mandate (PM-15). */
export const canAddAccount = ({ holder, email, bsb, number }: TypedAccount, hasAgreed: boolean): boolean =>
  holder.trim() !== '' && isEmail(email) && /^\d{6}$/.test(digitsOf(bsb)) && /^\d{5,10}$/.test(digitsOf(number)) && hasAgreed
