import type { ReceiptFields } from './xml.ts'

/** The vault's transactions have other fields, in another order, than those without a data key. */
export type Layout = 'gateway' | 'vault'

const EMPTY_RECEIPTS: Readonly<Record<Layout, ReceiptFields>> = {
  gateway: {
    ReceiptId: null,
    ReferenceNum: null,
    ResponseCode: null,
    ISO: null,
    AuthCode: null,
    TransTime: null,
    TransDate: null,
    TransType: null,
    Complete: 'false',
    Message: null,
    TransAmount: null,
    CardType: null,
    TransID: null,
    TimedOut: 'false',
    BankTotals: null,
    Ticket: null,
    CorporateCard: 'false',
    AvsResultCode: null,
    ITDResponse: null,
    CvdResultCode: null,
    CavvResultCode: null,
    IsVisaDebit: 'false',
  },
  vault: {
    DataKey: null,
    ReceiptId: null,
    ReferenceNum: null,
    ResponseCode: null,
    ISO: null,
    AuthCode: null,
    Message: null,
    TransTime: null,
    TransDate: null,
    TransType: null,
    Complete: 'false',
    TransAmount: null,
    CardType: null,
    TransID: null,
    TimedOut: 'false',
    CorporateCard: null,
    RecurSuccess: null,
    AvsResultCode: null,
    CvdResultCode: null,
    ResSuccess: 'false',
    PaymentType: null,
    IsVisaDebit: null,
  },
}

/** A receipt in the order of its layout; what is not given is absent (`null`), not complete and not timed out. */
export const receiptOf = (layout: Layout, fields: ReceiptFields): ReceiptFields => ({ ...EMPTY_RECEIPTS[layout], ...fields })

/** A request that Moneris did not process; the message is the receipt's. */
export class GatewayError extends Error {
  /** Fields of the receipt that are not absent. */
  readonly fields: ReceiptFields

  constructor(message: string, fields: ReceiptFields = {}) {
    super(message)
    this.fields = fields
  }
}

const DUPLICATE_ORDER_MESSAGE = 'The transaction was not sent to the host because of a duplicate order id'

/** The error of an order id that was used before, in which `ResSuccess` is true all the same; a value, not thrown here. */
export const duplicateOrderError = (fields: ReceiptFields = {}): GatewayError =>
  new GatewayError(DUPLICATE_ORDER_MESSAGE, { ...fields, ResSuccess: 'true' })

/** The receipt of an error: its message and fields; all else is absent. */
export const errorReceipt = (layout: Layout, { message, fields }: GatewayError): ReceiptFields =>
  receiptOf(layout, { ...fields, Message: message })

/** The receipt of a request that got no answer from the host in time. */
export const timedOutReceipt = (layout: Layout): ReceiptFields => receiptOf(layout, { TimedOut: 'true', Message: 'TIMED OUT' })

/** The receipt of a request that is rejected without a reason. */
export const rejectedReceipt = (layout: Layout): ReceiptFields => receiptOf(layout, { Message: 'The request was rejected' })
