import type { ProviderPage } from '../entry.ts'
import type { ProviderOf } from '../provider.ts'
import { checkAuthorizeAccount, createCardForm } from './authorize-account.ts'
import { authorizeCharges } from './authorize-charges.ts'
import { listPayments, listReturned, lookUp } from './authorize-look-up.ts'
import { authorizeMethods } from './authorize-methods.ts'
import { DEBIT_TYPE } from './authorize-profiles.ts'
import { refund } from './authorize-refunds.ts'
import { CURRENCY, REFERENCE } from './authorize-transactions.ts'
import { parseAuthorizeWebhook } from './authorize-webhooks.ts'
import { AuthorizeSettings, DEFAULT_RETURN_DAYS } from './authorize.settings.ts'

/** Fields whose text is never logged. */
const SECRET_FIELDS = [
  'cardNumber',
  'cardCode',
  'expirationDate',
  'dataValue',
  'routingNumber',
  'accountNumber',
  'nameOnAccount',
  'firstName',
  'lastName',
  'company',
  'address',
  'city',
  'state',
  'zip',
  'country',
  'phoneNumber',
  'faxNumber',
  'email',
  'customerIP',
  'validationDirectResponse',
  'directResponse',
]

const SECRET_PATTERNS = [
  /(?<="merchantAuthentication":\s?)\{[^}]*\}/g,
  new RegExp(`(?<="(?:${SECRET_FIELDS.join('|')})":\\s?")(?:[^"\\\\]|\\\\.)*`, 'g'),
  /(?<="validationDirectResponseList":\s?\[)[^\]]*/g,
  // A customer's description is a name.
  /(?<="merchantCustomerId":\s?"[^"]*",\s?"description":\s?")(?:[^"\\]|\\.)*/g,
  // The validator repeats what it does not accept.
  /(?<=The value ')(?:[^'\\]|\\.)*/g,
]

/** What Accept.js needs of a page (developer.authorize.net/api/reference/features/acceptjs.html). */
const PAGE: ProviderPage = {
  script: { liveUrl: 'https://js.authorize.net/v1/Accept.js', standInPath: '/v1/Accept.js' },
  liveOrigins: {
    script: ['https://js.authorize.net'],
    frame: [],
    connect: ['https://api.authorize.net', 'https://api2.authorize.net'],
  },
}

const MINUTE_MS = 60_000

/** Authorize.net (payment type 2): cards, by Accept.js or typed on our page, and bank accounts. */
export const authorize: ProviderOf<AuthorizeSettings> = {
  name: 'authorize',
  reviewText: 'In Authorize.net’s Merchant Interface, under Search: the reference is the invoice number of the transaction.',
  reference: REFERENCE,
  idempotency: 'by-window',
  // The list of what is not settled lags by minutes.
  notFoundMeansUnpaidAfterMs: 20 * MINUTE_MS,
  account: {
    settings: AuthorizeSettings,
    identifyingSettings: ['loginId'],
    liveHosts: /^api2?\.authorize\.net$/,
    check: checkAuthorizeAccount,
  },
  entry: {
    accepts: ['token', 'card', 'bank'],
    createCardForm,
    page: PAGE,
    payForm: { integrationType: null, usesIframe: false, needsHolder: false },
  },
  storing: { pathFamily: 'autorize', ...authorizeMethods },
  amounts: { currencies: () => [CURRENCY] },
  debits: {
    kinds: { 1: { type: DEBIT_TYPE, isEnteredOnOurPage: true } },
    bankingDays: ({ returnDays = DEFAULT_RETURN_DAYS }) => returnDays,
  },
  refunds: { refund, listReturned },
  webhooks: { isSigned: true, parse: parseAuthorizeWebhook },
  ...authorizeCharges,
  lookUp,
  listPayments,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
