/** A bank account as the form has it. */
export interface AccountValues {
  readonly bsb: string
  readonly account: string
  readonly name: string
}

export const EMPTY_ACCOUNT: AccountValues = { bsb: '', account: '', name: '' }

/** As it is printed: "062-000". */
export const formatBsb = (typed: string): string => {
  const digits = typed.replaceAll(/\D/g, '').slice(0, 6)
  return digits.length > 3 ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits
}

const MIN_ACCOUNT_LENGTH = 5
const MAX_ACCOUNT_LENGTH = 10

/** An account as BPOINT takes it; null while something is missing (PM-101): the BSB, the account's number, or its holder. */
export const toBankMethod = ({ bsb, account, name }: AccountValues) => {
  const [bsbDigits, accountDigits, holder] = [bsb.replaceAll(/\D/g, ''), account.replaceAll(/\D/g, ''), name.trim()]
  const isAccount = accountDigits.length >= MIN_ACCOUNT_LENGTH && accountDigits.length <= MAX_ACCOUNT_LENGTH
  return bsbDigits.length === 6 && isAccount && holder !== '' ? { bsb: bsbDigits, account: accountDigits, name: holder } : null
}
