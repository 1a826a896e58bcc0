import type { ProviderOf } from '../provider.ts'
import { checkMonerisAccount } from './moneris-client.ts'
import { monerisCharges } from './moneris-charges.ts'
import { LIVE_HOSTS, PAGE, createCardForm } from './moneris-card-form.ts'
import { monerisMethods } from './moneris-methods.ts'
import { refund } from './moneris-refunds.ts'
import { MonerisSettings } from './moneris.settings.ts'

const SECRET_ELEMENTS = [
  'api_token',
  'pan',
  'masked_pan',
  'expdate',
  'cvd_value',
  'data_key',
  'DataKey',
  'issuer_id',
  'IssuerId',
  'cust_id',
  'phone',
  'email',
  'note',
  'avs_street_number',
  'avs_street_name',
  'avs_zipcode',
]

/** Whether or not the element ends, in XML or as an error page repeats it. */
const SECRET_PATTERN = new RegExp(`(?<=(?:<|&lt;)(?:${SECRET_ELEMENTS.join('|')})(?:>|&gt;))(?:(?!<|&lt;)[\\s\\S])+`, 'g')

/** Moneris (payment type 5): cards in Canada, by its gateway of XML transactions. */
export const moneris: ProviderOf<MonerisSettings> = {
  name: 'moneris',
  reviewText:
    'In Moneris’ Merchant Resource Center, under Reports, Transactions: the reference is the order id. Say its TransID with --number when it was paid, or it cannot be refunded from here.',
  reference: { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 20 },
  idempotency: 'never',
  // The codes of a status check are not documented, so that a person decides about a payment that is not found.
  notFoundMeansUnpaidAfterMs: null,
  account: { settings: MonerisSettings, identifyingSettings: ['storeId'], liveHosts: LIVE_HOSTS, check: checkMonerisAccount },
  entry: { accepts: ['token', 'card'], createCardForm, page: PAGE },
  storing: { pathFamily: 'moneris', ...monerisMethods },
  amounts: {
    currencies: () => ['CAD'],
    // An amount has at most nine characters: 999999.99.
    limits: () => ({ maxMinor: 99_999_999 }),
  },
  refunds: { refund },
  ...monerisCharges,
  redact: (transcript) => transcript.replace(SECRET_PATTERN, '[sealed]'),
}
