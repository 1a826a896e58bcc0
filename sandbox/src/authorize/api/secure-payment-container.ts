import { isExpired } from '../payment-methods/cards.ts'
import { type Instrument, parseInstrument } from '../payment-methods/instrument.ts'
import { NONCE_DESCRIPTOR, type PaymentNonce } from '../payment-methods/payment-nonces.ts'
import { randomText } from '../store/digest.ts'
import { AuthorizeError } from './authorize-error.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import type { Operation } from './operation.ts'
import { oneOf, mandatory, sequence, text } from './schema.ts'

const VALIDITY_MS = 15 * 60_000

const CARD_TOKEN = {
  cardNumber: text(255),
  expirationDate: text(255),
  cardCode: text(255),
  zip: text(255),
  fullName: text(255),
}

const BANK_TOKEN = {
  accountNumber: text(255),
  routingNumber: text(255),
  nameOnAccount: text(255),
  accountType: oneOf('checking', 'savings', 'businessChecking'),
}

/** A card that Accept.js sent. @throws AuthorizeError with the code of the first field that is wrong */
const parseCardToken = (token: Fields, now: number): Instrument => {
  const [number, expiration, code] = [textOf(token, 'cardNumber'), textOf(token, 'expirationDate') ?? '', textOf(token, 'cardCode')]
  const instrument = parseInstrument({ creditCard: { cardNumber: number, expirationDate: expiration, cardCode: code } })
  if (instrument?.kind !== 'card' || instrument.cardType === undefined)
    throw new AuthorizeError('E_WC_05', 'Please provide valid credit card number.')
  if (!/^(0[1-9]|1[0-2])/.test(expiration)) throw new AuthorizeError('E_WC_06', 'Please provide valid expiration month.')
  if (instrument.expiration === undefined) throw new AuthorizeError('E_WC_07', 'Please provide valid expiration year.')
  if (isExpired(instrument.expiration, now)) throw new AuthorizeError('E_WC_08', 'Expiration date must be in the future.')
  if (code !== undefined && !/^\d{3,4}$/.test(code)) throw new AuthorizeError('E_WC_15', 'Please provide valid CVV.')
  return instrument
}

/** A bank account that Accept.js sent. @throws AuthorizeError with the code of the first field that is wrong */
const parseBankToken = (token: Fields): Instrument => {
  const instrument = parseInstrument({ bankAccount: token })
  if (instrument?.kind !== 'bank' || !instrument.hasValidNumber) throw new AuthorizeError('E_WC_25', 'Please provide valid account number.')
  if (!instrument.hasValidRouting) throw new AuthorizeError('E_WC_24', 'Please provide valid routing number.')
  if (instrument.nameOnAccount === '' || instrument.nameOnAccount.length > 22)
    throw new AuthorizeError('E_WC_26', 'Please provide valid account holder name.')
  return instrument
}

/** What Accept.js posts: a card or bank account, for which the page receives a nonce. */
export const securePaymentContainer: Operation = {
  name: 'securePaymentContainerRequest',
  shape: sequence({
    merchantAuthentication: mandatory(sequence({ name: text(25), clientKey: text(255) })),
    refId: text(20),
    data: mandatory(
      sequence({
        type: mandatory(oneOf('TOKEN')),
        id: mandatory(text(255)),
        token: sequence(CARD_TOKEN),
        bankToken: sequence(BANK_TOKEN),
      }),
    ),
  }),
  faultOperation: () => 'tokenise',
  handle: ({ session, request }) => {
    const data = fieldsOf(request, 'data')
    const [card, account] = [fieldsOf(data, 'token'), fieldsOf(data, 'bankToken')]
    if (card === undefined && account === undefined) throw new AuthorizeError('E_WC_04', 'Please provide mandatory field to library.')
    const instrument = card === undefined ? parseBankToken(account ?? {}) : parseCardToken(card, session.now)
    const { id } = session.put<PaymentNonce>({
      id: randomText(40),
      object: 'payment_nonce',
      instrument,
      expiresAt: session.now + VALIDITY_MS,
    })
    return { opaqueData: { dataDescriptor: NONCE_DESCRIPTOR, dataValue: id } }
  },
}

/**
 * The account of a browser's request, which is its API login id. Every other pair of a login id and a client key is accepted.
 * @throws AuthorizeError with E_WC_21 when the login id or the client key is missing, or the key contains `invalid`
 */
export const pageAccountOf = (request: Fields): string => {
  const authentication = fieldsOf(request, 'merchantAuthentication')
  const [name, key] = [textOf(authentication, 'name'), textOf(authentication, 'clientKey')]
  if (name === undefined || key === undefined || key.includes('invalid'))
    throw new AuthorizeError('E_WC_21', 'User authentication failed due to invalid authentication values.')
  return name
}
