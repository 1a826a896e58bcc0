/** A bank account as it is typed. */
export interface Account {
  readonly holder: string
  readonly routing: string
  readonly number: string
  readonly email: string
  readonly address: string
}

export const EMPTY_ACCOUNT: Account = { holder: '', routing: '', number: '', email: '', address: '' }

/** A routing number has nine digits, an account number more than five (PM-50). */
export const canAddAccount = ({ holder, routing, number }: Account): boolean =>
  holder.trim() !== '' && /^\d{9}$/.test(routing.trim()) && /^\d{6,17}$/.test(number.trim())
