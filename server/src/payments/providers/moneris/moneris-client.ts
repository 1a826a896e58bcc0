import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { ChargePermit } from '../charge-permit.ts'
import type { AccountCheck, ProviderContext } from '../account.ts'
import { readOutcome } from './moneris-codec.ts'
import type { MonerisSettings } from './moneris.settings.ts'
import { parseReceipt, type Receipt, toXml, type XmlFields } from './moneris-xml.ts'

export type MonerisContext = ProviderContext<MonerisSettings>

/** An answer with a receipt, or why there is none. `not_sent` only where Moneris certainly got nothing. */
export type Answer = { readonly receipt: Receipt } | { readonly state: 'unknown' | 'not_sent'; readonly detail: string }

const GATEWAY_PATH = '/gateway2/servlet/MpgRequest'

/** Transactions that charge nothing. */
export type TransactionName =
  | 'card_verification'
  | 'opentotals'
  | 'purchasecorrection'
  | 'refund'
  | 'res_add_cc'
  | 'res_add_token'
  | 'res_card_verification_cc'
  | 'res_delete'

/** Charges of a card and of a token. */
export type PurchaseName = 'purchase' | 'res_purchase_cc'

/** Sends one transaction that charges nothing, once. A lost answer is returned, not thrown. */
export const sendTransaction = (context: MonerisContext, name: TransactionName, fields: XmlFields): Promise<Answer> =>
  sendRequest(context, { [name]: fields })

/** Sends one charge, once. A lost answer is returned, not thrown. */
export const sendPurchase = (context: MonerisContext, permit: ChargePermit, name: PurchaseName, fields: XmlFields): Promise<Answer> =>
  sendRequest(context, { [name]: fields }, permit)

/** Asks for the first answer to a transaction; Moneris does not process it. */
export const sendStatusCheck = (context: MonerisContext, name: PurchaseName, fields: XmlFields): Promise<Answer> =>
  sendRequest(context, { status_check: 'true', [name]: fields })

/** Posts one transaction with the store's credentials. A lost answer, or one without a receipt, is returned, not thrown. */
const sendRequest = async ({ settings, baseUrl, http }: MonerisContext, transaction: XmlFields, permit?: ChargePermit): Promise<Answer> => {
  const { storeId, apiToken } = settings
  const body = `<?xml version="1.0"?>${toXml({ request: { store_id: storeId, api_token: apiToken, ...transaction } })}`
  try {
    const { status, text } = await http.send({
      method: 'POST',
      url: baseUrl + GATEWAY_PATH,
      headers: { 'content-type': 'text/xml' },
      body,
      permit,
    })
    const receipt = status === 200 ? parseReceipt(text) : undefined
    return receipt === undefined ? { state: 'unknown', detail: `moneris answered ${status} without a receipt` } : { receipt }
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    return { state: error.mayHaveArrived ? 'unknown' : 'not_sent', detail: error.message }
  }
}

/**
 * Tries the credentials by asking for the open totals of the terminal, which moves nothing. The result is made of the settings.
 * @throws Error with a sentence for operators when Moneris refuses them or does not answer properly
 */
export const checkMonerisAccount = async (context: MonerisContext): Promise<AccountCheck> => {
  const { storeId, ecrNumber } = context.settings
  const answer = await sendTransaction(context, 'opentotals', { ecr_number: ecrNumber })
  if (!('receipt' in answer)) throw new Error(`Moneris cannot be asked: ${answer.detail}.`)
  const outcome = readOutcome(answer.receipt)
  if (outcome.state === 'rejected') throw new Error(`Moneris refuses the store, its token or its terminal: ${outcome.message}.`)
  if (answer.receipt['Complete'] !== 'true') throw new Error('Moneris did not say whether it knows the store.')
  return { account: storeId, canCharge: true, country: 'CA' }
}
