import { AMOUNT, BOOLEAN, choice, DIGITS, INTEGER, oneOf, many, mandatory, sequence, type Shape, text } from './schema.ts'

/** What every request begins with. */
const REQUEST_START = {
  merchantAuthentication: mandatory(sequence({ name: text(25), transactionKey: text(16) })),
  clientId: text(30),
  refId: text(20),
}

/** A request: the credentials, then its own elements. */
export const requestShape = (parts: Parameters<typeof sequence>[0] = {}): Shape => sequence({ ...REQUEST_START, ...parts })

const EMAIL = text(255)

/** `billTo`, in an order of its own. */
export const ADDRESS = sequence({
  firstName: text(50),
  lastName: text(50),
  company: text(50),
  address: text(60),
  city: text(40),
  state: text(40),
  zip: text(20),
  country: text(60),
  phoneNumber: text(25),
  faxNumber: text(25),
  email: EMAIL,
})

/** A card, a bank account or a nonce of Accept.js. */
export const PAYMENT = choice({
  creditCard: sequence({ cardNumber: mandatory(text(16, 4)), expirationDate: mandatory(text(7, 4)), cardCode: text(4, 3) }),
  bankAccount: sequence({
    accountType: oneOf('checking', 'savings', 'businessChecking'),
    routingNumber: mandatory(text(9)),
    accountNumber: mandatory(text(17)),
    nameOnAccount: mandatory(text(22)),
    echeckType: oneOf('PPD', 'WEB', 'CCD', 'TEL', 'ARC', 'BOC'),
    bankName: text(50),
    checkNumber: text(15),
  }),
  opaqueData: sequence({ dataDescriptor: mandatory(text(255)), dataValue: mandatory(text(8192)), dataKey: text(255) }),
})

export const VALIDATION_MODE = oneOf('none', 'testMode', 'liveMode', 'oldLiveMode')

const PAYMENT_PROFILE = {
  customerType: oneOf('individual', 'business'),
  billTo: ADDRESS,
  payment: PAYMENT,
  driversLicense: sequence({ number: text(20), state: text(2), dateOfBirth: text(10) }),
  taxId: text(9, 8),
  defaultPaymentProfile: BOOLEAN,
  subsequentAuthInformation: sequence({ originalNetworkTransId: text(255), originalAuthAmount: AMOUNT, reason: text(20) }),
  excludeFromAccountUpdater: BOOLEAN,
}

export const NEW_PAYMENT_PROFILE = sequence(PAYMENT_PROFILE)

/** The id comes last. */
export const CHANGED_PAYMENT_PROFILE = sequence({ ...PAYMENT_PROFILE, customerPaymentProfileId: mandatory(DIGITS) })

const CUSTOMER = { merchantCustomerId: text(20), description: text(255), email: EMAIL }

export const NEW_CUSTOMER_PROFILE = sequence({
  ...CUSTOMER,
  paymentProfiles: many(NEW_PAYMENT_PROFILE),
  shipToList: many(ADDRESS),
  profileType: oneOf('regular', 'guest'),
})

export const CHANGED_CUSTOMER_PROFILE = sequence({ ...CUSTOMER, customerProfileId: DIGITS })

/** The shapes of `sorting`, by one of these orders, and of `paging`; both are optional. */
export const pagingShapes = (...orders: readonly string[]) => ({
  sorting: sequence({ orderBy: mandatory(oneOf(...orders)), orderDescending: mandatory(BOOLEAN) }),
  paging: sequence({ limit: mandatory(INTEGER), offset: mandatory(INTEGER) }),
})
