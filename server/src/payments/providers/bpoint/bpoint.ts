import type { ProviderOf } from '../provider.ts'
import { prepareNewCardCharge, prepareStoredMethodCharge } from './bpoint-charges.ts'
import { checkBpointAccount } from './bpoint-client.ts'
import { BECS_DEBIT } from './bpoint-codec.ts'
import { NOT_FOUND_MEANS_UNPAID_AFTER_MS, listPayments, listReturned, lookUp } from './bpoint-look-up.ts'
import { removeMethod, createCardForm, storeMethod } from './bpoint-methods.ts'
import { refund } from './bpoint-refunds.ts'
import { parseBpointWebhook } from './bpoint-webhooks.ts'
import { BpointSettings } from './bpoint.settings.ts'

const LIVE_ORIGIN = 'https://www.bpoint.com.au'

const SECRET_FIELDS = 'authkey|token|number|cvn|name|bsb|account|emailAddress|crn[123]|password'

const SECRET_PATTERNS = [
  new RegExp(`(?<="(?:${SECRET_FIELDS})":\\s?")(?:[^"\\\\]|\\\\.)*`, 'g'),
  /(?<=\/authkeys\/)[^/\s?"]+/g,
  /(?<=\/tokens\/)(?!authkeys|search|txn)[^/\s?"]+/g,
]

/** BPOINT (payment type 10): cards and bank accounts in Australia, which the browser attaches to keys that the server has opened. */
export const bpoint: ProviderOf<BpointSettings> = {
  name: 'bpoint',
  reviewText: 'In BPOINT’s back office, under Search Transactions: the reference is the merchant reference.',
  idempotency: 'never',
  notFoundMeansUnpaidAfterMs: NOT_FOUND_MEANS_UNPAID_AFTER_MS,
  account: {
    settings: BpointSettings,
    identifyingSettings: ['merchantNumber', 'testMode'],
    liveHosts: /(^|\.)bpoint\.com\.au$/,
    check: checkBpointAccount,
  },
  entry: {
    accepts: ['token'],
    createCardForm,
    page: {
      script: { liveUrl: `${LIVE_ORIGIN}/rest/clientscripts/api.js`, standInPath: '/rest/clientscripts/api.js' },
      liveOrigins: { script: [LIVE_ORIGIN], frame: [], connect: [LIVE_ORIGIN] },
    },
    payForm: { integrationType: null, usesIframe: false, needsHolder: true },
    acceptsStoredMethodInCardToken: true,
  },
  storing: { pathFamily: 'bpoint', store: storeMethod, remove: removeMethod },
  amounts: { currencies: () => ['AUD'] },
  debits: { kinds: { 1: { type: BECS_DEBIT, isEnteredOnOurPage: true } }, bankingDays: ({ debitDays = null }) => debitDays },
  refunds: { refund, listReturned },
  webhooks: { isSigned: false, parse: parseBpointWebhook },
  prepareStoredMethodCharge,
  prepareNewCardCharge,
  lookUp,
  listPayments,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
