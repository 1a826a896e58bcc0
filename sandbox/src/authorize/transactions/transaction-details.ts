import { type Fields, fieldsOf, listOf, textOf, withoutUndefined } from '../api/fields.ts'
import type { Operation } from '../api/operation.ts'
import { mandatory, text } from '../api/schema.ts'
import { requestShape } from '../api/shapes.ts'
import { accountTypeOf, maskedNumber, maskedPayment } from '../payment-methods/instrument.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { type Batch, toNumber, type Transaction } from './transaction.ts'

/** Local times are those of UTC-08:00. */
const LOCAL_OFFSET_MS = -8 * 3_600_000

/** A time in UTC, such as `2011-09-01T16:30:49.390Z`. */
const toUtc = (at: number): string => new Date(at).toISOString()

/** A time in the merchant's time zone, without its offset. */
const toLocal = (at: number): string => new Date(at + LOCAL_OFFSET_MS).toISOString().slice(0, -1)

/** The dollars that a transaction will move or has moved; 0 for a declined, voided or failed one. */
const settleAmount = ({ status, amount }: Transaction): number =>
  toNumber(status === 'declined' || status === 'voided' || status === 'settlementError' ? 0 : amount)

const BANK_RETURN = { code: 'R01', description: 'Insufficient Funds' }

/** A transaction as lists show it, with a masked number. */
export const transactionSummary = (transaction: Transaction): Fields => {
  const { id, submittedAt, status, instrument, details, profile, returnedAt } = transaction
  const billTo = fieldsOf(details, 'billTo')
  return withoutUndefined({
    transId: id,
    submitTimeUTC: `${toUtc(submittedAt).slice(0, 19)}Z`,
    submitTimeLocal: toLocal(submittedAt).slice(0, 19),
    transactionStatus: status,
    invoiceNumber: textOf(fieldsOf(details, 'order'), 'invoiceNumber'),
    firstName: textOf(billTo, 'firstName'),
    lastName: textOf(billTo, 'lastName'),
    accountType: accountTypeOf(instrument),
    accountNumber: maskedNumber(instrument),
    settleAmount: settleAmount(transaction),
    marketType: 'eCommerce',
    product: 'Card Not Present',
    hasReturnedItems: returnedAt === undefined ? undefined : true,
    hasReturnedItemsSpecified: returnedAt !== undefined,
    profile,
  })
}

/** A transaction as a look-up shows it: decision, order, addresses, batch and bank return; the number is masked. */
const transactionDetails = (session: AuthorizeSession, transaction: Transaction): Fields => {
  const { id, refTransId, submittedAt, type, status, decision, amount, details, instrument, profile, returnedAt } = transaction
  const lineItems = listOf(fieldsOf(details, 'lineItems'), 'lineItem')
  return withoutUndefined({
    transId: id,
    refTransId,
    submitTimeUTC: toUtc(submittedAt),
    submitTimeLocal: toLocal(submittedAt),
    transactionType: type,
    transactionStatus: status,
    responseCode: Number(decision.responseCode),
    responseReasonCode: Number(decision.reasonCode),
    responseReasonDescription: decision.responseCode === '1' ? 'Approval' : decision.reason,
    authCode: decision.authCode === '' ? undefined : decision.authCode,
    AVSResponse: decision.avs,
    cardCodeResponse: decision.cvv === '' ? undefined : decision.cvv,
    batch: batchOf(session, transaction),
    order: details['order'],
    requestedAmountSpecified: false,
    authAmount: toNumber(amount),
    settleAmount: settleAmount(transaction),
    tax: details['tax'],
    shipping: details['shipping'],
    duty: details['duty'],
    lineItems: lineItems.length === 0 ? undefined : lineItems,
    prepaidBalanceRemainingSpecified: false,
    taxExempt: textOf(details, 'taxExempt') === 'true',
    taxExemptSpecified: true,
    payment: maskedPayment(instrument),
    customer: { ...fieldsOf(details, 'customer'), typeSpecified: textOf(fieldsOf(details, 'customer'), 'type') !== undefined },
    billTo: details['billTo'],
    shipTo: details['shipTo'],
    recurringBilling: false,
    recurringBillingSpecified: true,
    customerIP: details['customerIP'],
    product: 'Card Not Present',
    marketType: 'eCommerce',
    returnedItems:
      returnedAt === undefined ? undefined : [{ id: `${id}1`, dateUTC: toUtc(returnedAt), dateLocal: toLocal(returnedAt), ...BANK_RETURN }],
    profile,
  })
}

/** The batch of a transaction in its look-up; undefined before settlement. */
const batchOf = (session: AuthorizeSession, { batchId = '' }: Transaction): Fields | undefined => {
  const batch = session.find<Batch>('batch', batchId)
  return batch && batchTimes(batch)
}

/** The id, settlement times and state of a batch, as every response shows them. */
export const batchTimes = ({ id, settledAt }: Batch): Fields => ({
  batchId: id,
  settlementTimeUTC: toUtc(settledAt),
  settlementTimeUTCSpecified: true,
  settlementTimeLocal: toLocal(settledAt),
  settlementTimeLocalSpecified: true,
  settlementState: 'settledSuccessfully',
})

export const getTransactionDetails: Operation = {
  name: 'getTransactionDetailsRequest',
  shape: requestShape({ transId: mandatory(text(255)) }),
  faultOperation: () => 'lookup',
  isReporting: true,
  handle: ({ session, request }) => ({
    transaction: transactionDetails(session, session.get<Transaction>('transaction', textOf(request, 'transId') ?? '')),
  }),
}
