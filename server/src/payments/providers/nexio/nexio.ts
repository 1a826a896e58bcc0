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
  settings: NexioSettings,
  accountSettings: ['username', 'merchantId'],
  liveHosts: /(^|\.)nexiopay\.com$/,
  idempotency: 'never',
  notFoundMeansUnpaidAfterMs: NOT_FOUND_MEANS_UNPAID_AFTER_MS,
  accepts: ['token', 'sealed'],
  pathFamily: 'nexio',
  currencies: () => NEXIO_CURRENCIES,
  debitKinds: { 1: { type: ECHECK, isEnteredOnOurPage: true } },
  debitBankingDays: ({ debitDays = null }) => debitDays,
  page: {
    // Our pages do not load the script, which identifies devices; its address tells them where Nexio's pages are.
    script: { liveUrl: 'https://api.nexiopay.com/pay/v3/fingerprint', standInPath: '/pay/v3/fingerprint' },
    liveOrigins: { script: [], frame: ['https://api.nexiopay.com'], connect: [] },
  },
  returnsThroughServer: true,
  payForm: { integrationType: 'Nexio', usesIframe: false, needsHolder: true },
  checkAccount: checkNexioAccount,
  createCardForm,
  storeMethod,
  updateMethod,
  removeMethod,
  prepareStoredMethodCharge,
  prepareNewCardCharge,
  lookUp,
  cancel,
  refund,
  listReturned,
  listPayments,
  parseWebhook: parseNexioWebhook,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
