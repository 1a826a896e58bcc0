import { AMOUNT, BOOLEAN, DIGITS, oneOf, many, mandatory, sequence, text } from '../api/schema.ts'
import { ADDRESS, PAYMENT } from '../api/shapes.ts'

const EXTENDED_AMOUNT = sequence({ amount: mandatory(AMOUNT), name: text(31), description: text(255) })

const LINE_ITEM = sequence({
  itemId: mandatory(text(31)),
  name: mandatory(text(31)),
  description: text(255),
  quantity: mandatory(AMOUNT),
  unitPrice: mandatory(AMOUNT),
  taxable: BOOLEAN,
})

/** `transactionRequest` of createTransactionRequest. */
export const TRANSACTION_REQUEST = sequence({
  transactionType: mandatory(
    oneOf(
      'authOnlyTransaction',
      'authCaptureTransaction',
      'captureOnlyTransaction',
      'refundTransaction',
      'priorAuthCaptureTransaction',
      'voidTransaction',
      'getDetailsTransaction',
      'authOnlyContinueTransaction',
      'authCaptureContinueTransaction',
    ),
  ),
  amount: AMOUNT,
  currencyCode: text(3),
  payment: PAYMENT,
  profile: sequence({
    createProfile: BOOLEAN,
    customerProfileId: DIGITS,
    paymentProfile: sequence({ paymentProfileId: mandatory(DIGITS), cardCode: text(4, 3) }),
    shippingProfileId: DIGITS,
  }),
  solution: sequence({ id: mandatory(text(50)), name: text(255), vendorName: text(255) }),
  callId: text(255),
  terminalNumber: text(255),
  authCode: text(255),
  refTransId: text(255),
  splitTenderId: text(255),
  order: sequence({ invoiceNumber: text(20), description: text(255) }),
  lineItems: sequence({ lineItem: many(LINE_ITEM) }),
  tax: EXTENDED_AMOUNT,
  duty: EXTENDED_AMOUNT,
  shipping: EXTENDED_AMOUNT,
  taxExempt: BOOLEAN,
  poNumber: text(25),
  customer: sequence({ type: oneOf('individual', 'business'), id: text(20), email: text(255) }),
  billTo: ADDRESS,
  shipTo: ADDRESS,
  customerIP: text(255),
  cardholderAuthentication: sequence({ authenticationIndicator: text(255), cardholderAuthenticationValue: text(255) }),
  retail: sequence({ marketType: text(255), deviceType: text(255), customerSignature: text(255), terminalNumber: text(255) }),
  employeeId: text(255),
  transactionSettings: sequence({ setting: many(sequence({ settingName: text(255), settingValue: text(255) })) }),
  userFields: sequence({ userField: many(sequence({ name: text(255), value: text(255) })) }),
  surcharge: EXTENDED_AMOUNT,
  merchantDescriptor: text(255),
  subMerchant: text(255),
  tip: EXTENDED_AMOUNT,
  processingOptions: sequence({
    isFirstRecurringPayment: BOOLEAN,
    isFirstSubsequentAuth: BOOLEAN,
    isSubsequentAuth: BOOLEAN,
    isStoredCredentials: BOOLEAN,
  }),
  subsequentAuthInformation: sequence({
    originalNetworkTransId: text(255),
    originalAuthAmount: AMOUNT,
    reason: oneOf('resubmission', 'delayedCharge', 'reauthorization', 'noShow'),
  }),
  otherTax: sequence({ nationalTaxAmount: AMOUNT, localTaxAmount: AMOUNT }),
  shipFrom: ADDRESS,
  authorizationIndicatorType: sequence({ authorizationIndicator: text(255) }),
})
