import { AuthorizeError } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, textOf, withoutUndefined } from '../api/fields.ts'
import { shortHash } from '../store/digest.ts'
import { cardTypeOf, type CvvResult, cvvResultOf, parseExpiration } from './cards.ts'

/** What is kept of a card; its number is not. */
interface CardInstrument {
  readonly kind: 'card'
  /** Equal for equal numbers. */
  readonly fingerprint: string
  readonly lastFour: string
  /** Undefined for a number that is no card's. */
  readonly cardType?: string | undefined
  /** `YYYY-MM`; undefined when it was not a date. */
  readonly expiration?: string | undefined
  readonly cvv: CvvResult
  /** Whether it is the old test number whose amount is the wished reason code. */
  readonly picksReasonCode: boolean
}

/** What is kept of a bank account; its numbers are not. */
interface BankInstrument {
  readonly kind: 'bank'
  readonly fingerprint: string
  readonly lastFour: string
  readonly routingLastFour: string
  readonly hasValidRouting: boolean
  readonly hasValidNumber: boolean
  readonly accountType: string
  readonly nameOnAccount: string
  readonly echeckType: string
  readonly bankName?: string | undefined
}

export type Instrument = CardInstrument | BankInstrument

const REASON_CODE_CARD = '4222222222222'

/** Whether a card number, account number or date came back as a response showed it: `XXXX`, alone or with four digits. */
const isMasked = (number: string): boolean => /^X{4}(\d{4})?$/.test(number)

/** The instrument in `creditCard` or `bankAccount` of a request; undefined without both. Wrong numbers are noted, not refused. */
export const parseInstrument = (payment: Fields | undefined): Instrument | undefined => {
  const card = fieldsOf(payment, 'creditCard')
  if (card !== undefined) return parseCard(card)
  const account = fieldsOf(payment, 'bankAccount')
  return account === undefined ? undefined : parseAccount(account)
}

/** What is kept of a card. A wrong number or date is refused later: here its field is undefined. */
const parseCard = (card: Fields): CardInstrument => {
  const number = textOf(card, 'cardNumber') ?? ''
  return {
    kind: 'card',
    fingerprint: shortHash(`card ${number}`),
    lastFour: number.slice(-4),
    cardType: cardTypeOf(number),
    expiration: parseExpiration(textOf(card, 'expirationDate') ?? ''),
    cvv: cvvResultOf(textOf(card, 'cardCode')),
    picksReasonCode: number === REASON_CODE_CARD,
  }
}

/** What is kept of a bank account. Wrong numbers are refused later: here they are noted as not valid. */
const parseAccount = (account: Fields): BankInstrument => {
  const [routing, number] = [textOf(account, 'routingNumber') ?? '', textOf(account, 'accountNumber') ?? '']
  const accountType = textOf(account, 'accountType') ?? 'checking'
  return {
    kind: 'bank',
    fingerprint: shortHash(`bank ${routing} ${number}`),
    lastFour: number.slice(-4),
    routingLastFour: routing.slice(-4),
    hasValidRouting: hasAbaDigit(routing),
    hasValidNumber: /^\d{5,17}$/.test(number),
    accountType,
    nameOnAccount: textOf(account, 'nameOnAccount') ?? '',
    echeckType: textOf(account, 'echeckType') ?? (accountType === 'businessChecking' ? 'CCD' : 'WEB'),
    bankName: textOf(account, 'bankName'),
  }
}

const ABA_WEIGHTS = [3, 7, 1]

/** Whether a routing number has nine digits and a right check digit. */
const hasAbaDigit = (routing: string): boolean =>
  /^\d{9}$/.test(routing) && [...routing].reduce((sum, digit, place) => sum + Number(digit) * (ABA_WEIGHTS[place % 3] ?? 0), 0) % 10 === 0

/**
 * The instrument of an update: what comes back masked stays as it was.
 * @throws AuthorizeError when masked digits belong to another number
 */
export const mergeInstrument = (before: Instrument, payment: Fields): Instrument => {
  const changed = parseInstrument(payment)
  const card = fieldsOf(payment, 'creditCard')
  const account = fieldsOf(payment, 'bankAccount')
  if (changed?.kind === 'card' && card !== undefined) return mergeCard(before, changed, card)
  if (changed?.kind === 'bank' && account !== undefined) return mergeAccount(before, changed, account)
  return before
}

/**
 * The changed card; a masked number or expiration date stays as before.
 * @throws AuthorizeError when the masked digits are those of another number
 */
const mergeCard = (before: Instrument, changed: CardInstrument, card: Fields): CardInstrument => {
  const expiration = isMasked(textOf(card, 'expirationDate') ?? '') && before.kind === 'card' ? before.expiration : changed.expiration
  if (!isMasked(textOf(card, 'cardNumber') ?? '')) return { ...changed, expiration }
  if (before.kind !== 'card' || before.lastFour !== changed.lastFour) throw new AuthorizeError('E00013', 'Card Number is invalid.')
  return { ...before, expiration, cvv: changed.cvv }
}

/**
 * The changed bank account; two masked numbers stay as before.
 * @throws AuthorizeError when the masked digits are those of other numbers, or only one number is masked
 */
const mergeAccount = (before: Instrument, changed: BankInstrument, account: Fields): BankInstrument => {
  const masksNumber = isMasked(textOf(account, 'accountNumber') ?? '')
  const masksRouting = isMasked(textOf(account, 'routingNumber') ?? '')
  if (!masksNumber && !masksRouting) return changed
  const isSame =
    before.kind === 'bank' &&
    masksNumber &&
    masksRouting &&
    before.lastFour === changed.lastFour &&
    before.routingLastFour === changed.routingLastFour
  if (!isSame) throw new AuthorizeError('E00013', 'Bank Account Number is invalid.')
  const { fingerprint, hasValidNumber, hasValidRouting } = before
  return { ...changed, fingerprint, hasValidNumber, hasValidRouting }
}

/** `accountNumber` of a response: `XXXX` and the last four digits. */
export const maskedNumber = ({ lastFour }: Instrument): string => `XXXX${lastFour}`

/** `accountType` of a response: the card's brand, empty when unknown, or `eCheck`. */
export const accountTypeOf = (instrument: Instrument): string => (instrument.kind === 'card' ? (instrument.cardType ?? '') : 'eCheck')

/** `payment` of a response, with masked numbers. The expiration date is `XXXX` unless `showsExpiration`. */
export const maskedPayment = (instrument: Instrument, showsExpiration = false): Fields =>
  instrument.kind === 'card'
    ? {
        creditCard: withoutUndefined({
          cardNumber: maskedNumber(instrument),
          expirationDate: showsExpiration ? (instrument.expiration ?? 'XXXX') : 'XXXX',
          cardType: instrument.cardType,
        }),
      }
    : {
        bankAccount: withoutUndefined({
          accountType: instrument.accountType,
          routingNumber: `XXXX${instrument.routingLastFour}`,
          accountNumber: maskedNumber(instrument),
          nameOnAccount: instrument.nameOnAccount,
          echeckType: instrument.echeckType,
          bankName: instrument.bankName,
        }),
      }
