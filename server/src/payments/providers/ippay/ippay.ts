import type { ProviderOf } from '../provider.ts'
import { CURRENCY, DEBIT_TYPE, ippayCharges } from './ippay-charges.ts'
import { checkIPpayAccount, LIVE_HOSTS, REFERENCE } from './ippay-client.ts'
import { frameUrl, PAGE, parseFrameReturn } from './ippay-frame.ts'
import { listPayments, listReturned, lookUp } from './ippay-look-up.ts'
import { ippayMethods } from './ippay-methods.ts'
import { refund } from './ippay-refunds.ts'
import { IPpaySettings } from './ippay.settings.ts'

/** Its settlement report usually names a debit so many banking days later. */
const DEFAULT_DEBIT_DAYS = 2

/** Elements whose text is never logged. A token charges its card, whoever has the terminal. */
const SECRET_ELEMENTS = [
  'Password',
  'CardNum',
  'CVV2',
  'CardExpMonth',
  'CardExpYear',
  'Token',
  'AccountNumber',
  'ABA',
  'CheckNumber',
  'CardName',
  'CardHolderName',
  'BillingAddress',
  'BillingCity',
  'BillingStateProv',
  'BillingPostalCode',
  'BillingCountry',
  'BillingPhone',
  'Address',
  'City',
  'State',
  'Zip',
  'Country',
  'Phone',
  'Email',
  'UserIPAddress',
  'UserIPAddr',
  'UserHost',
]

/** Whether or not the element ends, in XML or as an error page repeats it. */
const SECRET_PATTERN = new RegExp(`(?<=(?:<|&lt;)(?:${SECRET_ELEMENTS.join('|')})(?:>|&gt;))(?:(?!<|&lt;)[\\s\\S])+`, 'g')

const HOUR_MS = 3_600_000
const DEBIT_KIND = { type: DEBIT_TYPE, isEnteredOnOurPage: false }

/** IPpay (payment type 4): cards and bank accounts of the United States, entered on its own page in a frame. */
export const ippay: ProviderOf<IPpaySettings> = {
  name: 'ippay',
  reviewText: 'At IPpay’s desk: the reference is the TransactionID.',
  reference: REFERENCE,
  idempotency: 'never',
  // Two independent look-ups find nothing: an enquiry, and the report of the days around it. How far reports lag is not documented, so
  // that a whole day must have passed.
  notFoundMeansUnpaidAfterMs: 24 * HOUR_MS,
  account: {
    settings: IPpaySettings,
    identifyingSettings: ['terminalId'],
    liveHosts: LIVE_HOSTS,
    testHosts: /^testgtwy\./,
    check: checkIPpayAccount,
  },
  entry: { accepts: ['token'], page: PAGE, payForm: { integrationType: null, usesIframe: true, needsHolder: true } },
  frames: { url: frameUrl, parseReturn: parseFrameReturn },
  storing: { pathFamily: 'ippay', ...ippayMethods },
  amounts: { currencies: () => [CURRENCY] },
  debits: {
    // Accounts are offered whatever the reseller's direct-debit method.
    kinds: { 0: DEBIT_KIND, 1: DEBIT_KIND },
    bankingDays: ({ debitDays = DEFAULT_DEBIT_DAYS }) => debitDays,
  },
  refunds: { refund, listReturned },
  ...ippayCharges,
  lookUp,
  listPayments,
  redact: (transcript) => transcript.replace(SECRET_PATTERN, '[sealed]'),
}
