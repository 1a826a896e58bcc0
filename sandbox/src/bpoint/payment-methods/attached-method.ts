import { invalidField } from '../api/bpoint-error.ts'
import { type Fields, objectField, requiredText, textField } from '../api/fields.ts'
import { isCardNumber, maskNumber, schemeOf } from './card-number.ts'

/** What BPOINT says of a security code: match, no match, not processed, issuer unable, not sent. */
type CvnResult = 'M' | 'N' | 'P' | 'U' | 'S'

/** A card without its number and its code. */
export interface Card {
  readonly kind: 'card'
  readonly number: string
  readonly expiry: { readonly month: string; readonly year: string }
  readonly name: string | null
  readonly scheme: string
  readonly cvnResult: CvnResult
}

export interface BankAccount {
  readonly kind: 'bank'
  readonly bsb: string
  readonly account: string
  readonly name: string
}

export type PaymentMethod = Card | BankAccount

const CVN_RESULTS: Readonly<Record<string, CvnResult>> = { '987': 'N', '876': 'P', '765': 'U' }

/**
 * A card or a bank account as it was sent. The card's number is masked and its code is not kept; the account's number is kept.
 * @throws BpointError at the first field that is wrong
 */
export const parseMethod = (body: Fields): PaymentMethod =>
  body['bank'] === undefined ? parseCard(objectField(body, 'card'), 'card') : parseBank(objectField(body, 'bank'))

/**
 * A card as it was sent, with a masked number and the result of the code.
 * @throws BpointError at the first field that is wrong
 * @param path the name of the object in the request
 */
export const parseCard = (card: Fields, path: string): Card => {
  const number = requiredText(card, 'number', { path: `${path}.number` })
  if (!isCardNumber(number)) throw invalidField(`${path}.number`, 'Card number is invalid')
  const expiry = objectField(card, 'expiry')
  const [month, year] = [textField(expiry, 'month') ?? '', textField(expiry, 'year') ?? '']
  // The month 99 is a test value.
  if (!/^(0[1-9]|1[0-2]|99)$/.test(month) || !/^\d{2}$/.test(year)) throw invalidField(`${path}.expiry`, 'Expiry date is invalid')
  const cvn = textField(card, 'cvn')
  if (cvn !== undefined && !/^\d{3,4}$/.test(cvn)) throw invalidField(`${path}.cvn`, 'CVN is invalid')
  return {
    kind: 'card',
    number: maskNumber(number),
    expiry: { month, year },
    name: textField(card, 'name') ?? null,
    scheme: schemeOf(number),
    cvnResult: cvn === undefined ? 'S' : (CVN_RESULTS[cvn] ?? 'M'),
  }
}

/** A bank account as it was sent, with its whole number. @throws BpointError at the first field that is wrong */
const parseBank = (bank: Fields): BankAccount => {
  const [bsb, account] = [textField(bank, 'bsb') ?? '', textField(bank, 'account') ?? '']
  if (!/^\d{6}$/.test(bsb)) throw invalidField('bank.bsb', 'BSB is invalid')
  if (!/^\d{1,10}$/.test(account)) throw invalidField('bank.account', 'Account number is invalid')
  return { kind: 'bank', bsb, account, name: requiredText(bank, 'name', { path: 'bank.name' }) }
}

/** A method in the form of responses: `card` and `bank`, of which one is null. */
export const shownMethod = (method: PaymentMethod) => {
  if (method.kind === 'bank') {
    const { bsb, account, name } = method
    return { card: null, bank: { bsb, account, name } }
  }
  const { number, expiry, name, scheme } = method
  return { card: { number, expiry, name, scheme, localisation: 'Local', type: 'Credit' }, bank: null }
}
