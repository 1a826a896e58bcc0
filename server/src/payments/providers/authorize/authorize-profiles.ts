import { type Static, Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { MethodDetails, StoredMethod } from '../method.ts'
import { type BillTo, orderBillTo, splitName, toAddressFields } from './authorize-billing.ts'
import type { Fields } from './authorize-client.ts'

/** The method type of payments by bank account. */
export const DEBIT_TYPE = 'eCheck'

const Text = Type.Optional(Type.String())

const WireProfile = Type.Object({
  customerPaymentProfileId: Type.String({ pattern: '^\\d{1,20}$' }),
  customerType: Text,
  defaultPaymentProfile: Type.Optional(Type.Boolean()),
  billTo: Type.Optional(
    Type.Object({
      firstName: Text,
      lastName: Text,
      company: Text,
      address: Text,
      city: Text,
      state: Text,
      zip: Text,
      country: Text,
      phoneNumber: Text,
    }),
  ),
  payment: Type.Object({
    creditCard: Type.Optional(Type.Object({ cardNumber: Type.String(), expirationDate: Type.String(), cardType: Text })),
    bankAccount: Type.Optional(
      Type.Object({
        accountType: Text,
        routingNumber: Type.String(),
        accountNumber: Type.String(),
        nameOnAccount: Text,
        echeckType: Text,
        bankName: Text,
      }),
    ),
  }),
  originalNetworkTransId: Text,
})

/** A stored method as Authorize.net shows it, with its numbers masked. */
export type PaymentProfile = Static<typeof WireProfile>

/** Decodes a payment profile; undefined when the value is not a payment profile. */
export const decodeProfile = (value: unknown): PaymentProfile | undefined => (matchesSchema(WireProfile, value) ? value : undefined)

/** A payment profile as a stored method of the portal; undefined for a profile that has neither a card nor a bank account. */
export const toStoredMethod = (profile: PaymentProfile): StoredMethod | undefined => {
  const { customerPaymentProfileId: token, payment, originalNetworkTransId: networkRef } = profile
  const { creditCard, bankAccount } = payment
  const billing = toBillingDetails(profile.billTo ?? {})
  if (creditCard !== undefined) {
    const { cardType: brand = '', cardNumber, expirationDate } = creditCard
    const details = {
      ...withoutEmpty({ brand: toBrand(brand), last4: lastFourOf(cardNumber), networkRef }),
      ...toExpiry(expirationDate),
      ...billing,
    }
    return { kind: 'card', type: 'card', token, status: 'ready', details }
  }
  if (bankAccount === undefined) return undefined
  const { accountType, routingNumber: bankCode, accountNumber, nameOnAccount: name, bankName } = bankAccount
  const details = { ...billing, ...withoutEmpty({ last4: lastFourOf(accountNumber), bankCode, name, bankName, accountType }) }
  return { kind: 'bank', type: DEBIT_TYPE, token, status: 'ready', details }
}

/** The brands that are written otherwise elsewhere. */
const BRANDS: Readonly<Record<string, string>> = { AmericanExpress: 'amex', DinersClub: 'diners' }

/** The brand in the words used elsewhere: amex and diners for Authorize.net's own; any other as Authorize.net writes it. */
const toBrand = (cardType: string): string => (Object.hasOwn(BRANDS, cardType) ? (BRANDS[cardType] ?? '') : cardType)

/** The four digits at the end of a masked number; undefined where it ends otherwise. */
const lastFourOf = (number: string): string | undefined => /\d{4}$/.exec(number)?.[0]

/** The expiry from YYYY-MM; no fields for any other text, such as a masked one. */
const toExpiry = (expirationDate: string): Pick<MethodDetails, 'expMonth' | 'expYear'> => {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(expirationDate) ?? []
  return year === undefined ? {} : { expYear: Number(year), expMonth: Number(month) }
}

/** The name, company, phone and address of a gateway's billing address; empty ones are left out. */
const toBillingDetails = (billTo: BillTo): MethodDetails => {
  const { firstName, lastName, company: legalName, phoneNumber: phone, address: line1, city, state, zip: postalCode, country } = billTo
  const name = [firstName, lastName].filter((part) => part !== undefined && part !== '').join(' ')
  const address = withoutEmpty({ line1, city, state, postalCode, country })
  return { ...withoutEmpty({ name, legalName, phone }), ...(Object.keys(address).length === 0 ? {} : { address }) }
}

/** The fields whose text is neither undefined nor empty. */
const withoutEmpty = <T extends Readonly<Record<string, string | undefined>>>(fields: T): { [K in keyof T]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined && text !== '')) as { [K in keyof T]?: string }

/** The changes of a stored method. */
type MethodChanges = Omit<MethodDetails, 'brand' | 'last4' | 'networkRef'>

/** A payment profile with changes, in the form of an update, which replaces everything; masked numbers keep what is stored. */
export const toChangedProfile = (profile: PaymentProfile, changes: MethodChanges): Fields => {
  const { customerType, defaultPaymentProfile, customerPaymentProfileId } = profile
  const billTo = orderBillTo({ ...profile.billTo, ...toBillingChanges(profile, changes) })
  return {
    ...(customerType === undefined ? {} : { customerType }),
    ...(billTo === undefined ? {} : { billTo }),
    payment: toChangedPayment(profile, changes),
    ...(defaultPaymentProfile === undefined ? {} : { defaultPaymentProfile }),
    customerPaymentProfileId,
  }
}

/** The fields of the billing address that change. The name of a bank account's holder is not among them: it is a field of the account. */
const toBillingChanges = ({ payment }: PaymentProfile, { name, legalName, phone, address }: MethodChanges): BillTo => ({
  // The name on an account is a field of the account.
  ...(name === undefined || payment.creditCard === undefined ? {} : { firstName: '', ...splitName(name) }),
  ...(legalName === undefined ? {} : { company: legalName }),
  ...(phone === undefined ? {} : { phoneNumber: phone }),
  ...toAddressFields(address),
})

/** The payment fields of an update: numbers go back masked as they were read, and a card's unchanged expiry as `XXXX`. */
const toChangedPayment = ({ payment: { creditCard, bankAccount } }: PaymentProfile, changes: MethodChanges): Fields => {
  if (creditCard !== undefined) {
    const { expMonth, expYear } = changes
    const expirationDate = expMonth === undefined || expYear === undefined ? 'XXXX' : `${expYear}-${String(expMonth).padStart(2, '0')}`
    return { creditCard: { cardNumber: creditCard.cardNumber, expirationDate } }
  }
  const { accountType, routingNumber = '', accountNumber = '', nameOnAccount, echeckType, bankName } = bankAccount ?? {}
  return toBankPayment({
    accountType: changes.accountType ?? accountType,
    routingNumber,
    accountNumber,
    nameOnAccount: changes.name ?? nameOnAccount,
    echeckType,
    bankName: changes.bankName ?? bankName,
  })
}

/** The fields of a bank account in the order of the schema; undefined and empty ones are left out. */
export const toBankPayment = (account: {
  readonly accountType?: string | undefined
  readonly routingNumber: string
  readonly accountNumber: string
  readonly nameOnAccount?: string | undefined
  readonly echeckType?: string | undefined
  readonly bankName?: string | undefined
}): Fields => {
  const { accountType, routingNumber, accountNumber, nameOnAccount, echeckType, bankName } = account
  const fields = { accountType, routingNumber, accountNumber, nameOnAccount, echeckType, bankName }
  return { bankAccount: Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined && text !== '')) }
}
