import type { ProviderOf } from '../provider.ts'
import { prepareNewCardCharge, prepareStoredMethodCharge } from './nexio-charges.ts'
import { checkNexioAccount } from './nexio-client.ts'
import { ECHECK, NEXIO_CURRENCIES } from './nexio-codec.ts'
import { NOT_FOUND_MEANS_UNPAID_AFTER_MS, cancel, listPayments, listReturned, lookUp } from './nexio-look-up.ts'
import { removeMethod, createCardForm, storeMethod, updateMethod } from './nexio-methods.ts'
import { refund } from './nexio-refunds.ts'
import { parseNexioWebhook } from './nexio-webhooks.ts'
import { NexioSettings } from './nexio.settings.ts'

const SECRET_FIELDS =
  'token|encryptedNumber|encryptedBankAccountNumber|securityCode|cardHolderName|cardHolder|accountHolderName|routingNumber|firstName|lastName|email|phone|postalCode|userName|redirectUrl|fraudUrl|billTo\\w+|shipTo\\w+'

const SECRET_PATTERNS = [
  new RegExp(`(?<="(?:${SECRET_FIELDS})":\\s?")(?:[^"\\\\]|\\\\.)*`, 'g'),
  /(?<="tokens":\s?\[)[^\]]*/g,
  /(?<=\/vault\/(?:card|echeck)\/)[^\s?]+/g,
  /(?<=[?&]token=)[^&\s"]+/g,
]

/** Nexio (payment type 8): cards and bank accounts whose numbers the browser encrypts, or that are entered in its own frame. */
export const nexio: ProviderOf<NexioSettings> = {
  name: 'nexio',
  reviewText: 'In Nexio’s dashboard, under Transactions: the reference is the order number.',
  idempotency: 'never',
  notFoundMeansUnpaidAfterMs: NOT_FOUND_MEANS_UNPAID_AFTER_MS,
  account: {
    settings: NexioSettings,
    identifyingSettings: ['username', 'merchantId'],
    liveHosts: /(^|\.)nexiopay\.com$/,
    check: checkNexioAccount,
  },
  entry: {
    accepts: ['token', 'sealed'],
    createCardForm,
    page: {
      // Our pages do not load the script, which identifies devices; its address tells them where Nexio's pages are.
      script: { liveUrl: 'https://api.nexiopay.com/pay/v3/fingerprint', standInPath: '/pay/v3/fingerprint' },
      liveOrigins: { script: [], frame: ['https://api.nexiopay.com'], connect: [] },
    },
    payForm: { integrationType: 'Nexio', usesIframe: false, needsHolder: true },
    returnsThroughServer: true,
  },
  storing: { pathFamily: 'nexio', store: storeMethod, update: updateMethod, remove: removeMethod },
  amounts: { currencies: () => NEXIO_CURRENCIES },
  debits: { kinds: { 1: { type: ECHECK, isEnteredOnOurPage: true } }, bankingDays: ({ debitDays = null }) => debitDays },
  refunds: { refund, listReturned },
  webhooks: { isSigned: true, parse: parseNexioWebhook },
  prepareStoredMethodCharge,
  prepareNewCardCharge,
  lookUp,
  cancel,
  listPayments,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
