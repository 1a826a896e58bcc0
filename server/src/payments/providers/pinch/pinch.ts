import type { ProviderOf } from '../provider.ts'
import { LIVE_HOSTS } from './pinch-bearer.ts'
import { prepareNewCardCharge, prepareStoredMethodCharge } from './pinch-charges.ts'
import { checkPinchAccount } from './pinch-client.ts'
import { BANK_DEBIT } from './pinch-codec.ts'
import { NOT_FOUND_MEANS_UNPAID_AFTER_MS, cancel, listPayments, lookUp } from './pinch-look-up.ts'
import { createCustomer, listMethods, removeMethod, createCardForm, storeMethod } from './pinch-methods.ts'
import { refund } from './pinch-refunds.ts'
import { parsePinchWebhook } from './pinch-webhooks.ts'
import { currencyOf, PinchSettings } from './pinch.settings.ts'

const SECRET_FIELDS =
  'access_token|token|creditCardToken|anonymousViewToken|firstName|lastName|fullName|email|emailAddress|mobileNumber|streetAddress|suburb|postcode|companyName|cardHolderName|bankAccountNumber|bankAccountName|bankAccountBsb|ipAddress|secret'

const SECRET_PATTERNS = [
  new RegExp(`(?<="(?:${SECRET_FIELDS})":\\s?")(?:[^"\\\\]|\\\\.)*`, 'gi'),
  /(?<="attemptedValue":\s?")(?:[^"\\]|\\.)*/gi,
  /\b(?:sk|pk)_(?:test|live)_\w+/g,
  /\bwhsec_\w+/g,
  /\btkn_\w+/g,
]

/** Pinch (payment type 6): cards and Australian bank accounts, which the browser exchanges for tokens at Pinch itself. */
export const pinch: ProviderOf<PinchSettings> = {
  name: 'pinch',
  reviewText: 'In Pinch’s portal, under Payments: the reference is the nonce; the payment is found by payer, day and amount.',
  idempotency: 'by-key',
  notFoundMeansUnpaidAfterMs: NOT_FOUND_MEANS_UNPAID_AFTER_MS,
  account: {
    settings: PinchSettings,
    identifyingSettings: ['mode', 'applicationId', 'merchantId'],
    liveHosts: LIVE_HOSTS,
    check: checkPinchAccount,
  },
  entry: {
    accepts: ['token'],
    createCardForm,
    page: { liveOrigins: { script: [], frame: [], connect: ['https://api.getpinch.com.au'] } },
    payForm: { integrationType: null, usesIframe: false, needsHolder: true, needsEmail: true },
  },
  storing: {
    pathFamily: 'payments',
    store: storeMethod,
    remove: removeMethod,
    list: listMethods,
    createCustomer,
    requiresReplacementBeforeRemovingDefault: true,
    toCardResponse: ({ brand, last4, expMonth, expYear, name }) => ({
      pinchCard: {
        brand: brand ?? null,
        last4: last4 ?? null,
        expMonth: expMonth ?? null,
        expYear: expYear ?? null,
        cardHolderName: name ?? null,
      },
    }),
  },
  amounts: { currencies: (settings) => [currencyOf(settings)] },
  debits: { kinds: { 1: { type: BANK_DEBIT, isEnteredOnOurPage: true } }, bankingDays: ({ debitDays = null }) => debitDays },
  refunds: { refund },
  webhooks: { isSigned: true, parse: parsePinchWebhook },
  prepareStoredMethodCharge,
  prepareNewCardCharge,
  lookUp,
  cancel,
  listPayments,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
