import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { paymentHistory } from '@counterfoil/contract/payment-history'
import { type Renderer, RendererBusy } from '../../documents/renderer.ts'
import { notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import { type AttemptStatus, hasReceipt } from '../../payments/attempts/attempt.ts'
import { findDebitBankingDays, readPendingPayment } from '../../payments/payment-summary.ts'
import { expectedDay } from '../../payments/payment-summary.rules.ts'
import type { PaymentsDeps } from '../../payments/payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { listAttempts, countAttempts, findInvoice, findReceiptHead, listReceiptLines } from './payment-history.queries.ts'
import { toPaymentEntry } from './payment-history.rules.ts'
import { receiptNumber, toReceiptDocument } from './receipt-document.rules.ts'

export interface PaymentHistoryDeps {
  readonly payments: PaymentsDeps
  readonly renderer: Renderer
}

/**
 * A page of the attempts to pay an invoice, newest first.
 * @throws ApiError 404, the same for another customer's invoice and for a missing one
 */
export const listInvoicePayments = async (
  { payments }: PaymentHistoryDeps,
  { scope, transact, now }: CustomerRequestContext,
  invoiceId: number,
  { pageNumber, pageSize }: RequestInput<typeof paymentHistory.list>['query'],
): Promise<ResponseBody<typeof paymentHistory.list>> => {
  const { invoice, rows, totalCount } = await transact(async (db) => {
    const invoice = await findInvoice(db, scope, invoiceId)
    if (invoice === undefined) throw notFound()
    const rows = await listAttempts(db, scope, invoiceId, { offset: (pageNumber - 1) * pageSize, limit: pageSize })
    return { invoice, rows, totalCount: await countAttempts(db, scope, invoiceId) }
  })
  // An invoice is in one live attempt at most.
  const debit = rows.find(({ status, isDebit }) => status === 'processing' && isDebit)
  const bankingDays = debit === undefined ? null : await findDebitBankingDays(payments, { ...debit, resellerId: scope.resellerId })
  const unknown = rows.find(({ status }) => status === 'unknown')
  const pending = unknown === undefined ? undefined : await readPendingPayment(payments, { ...scope, id: unknown.id })
  const entries = rows.map((row) =>
    toPaymentEntry(row, invoice.currencySymbol, {
      expectedOn: expectedDay(row, bankingDays, now),
      unknownOutcome: row === unknown ? (pending?.unknownOutcome ?? null) : null,
    }),
  )
  return { payments: entries, totalCount }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Renders the receipt of a payment attempt as a PDF.
 * @param id of the attempt
 * @throws ApiError 404, the same for another customer's payment, a missing one, and one without a receipt; 503 while too many are being
 * rendered
 */
export const renderReceipt = async (
  { renderer }: Pick<PaymentHistoryDeps, 'renderer'>,
  { scope, transact }: Pick<CustomerRequestContext, 'transact'> & { readonly scope: CustomerScope },
  id: string,
): Promise<FileResponse> => {
  if (!UUID.test(id)) throw notFound()
  const found = await transact(async (db) => {
    const head = await findReceiptHead(db, scope, id)
    return head === undefined ? undefined : { head, lines: await listReceiptLines(db, scope, id) }
  })
  if (found === undefined || found.head.paidAt === null || !hasReceipt(found.head.status as AttemptStatus)) throw notFound()
  const { head, lines } = found
  const { paidAt } = found.head
  const body = await renderer.receipt(toReceiptDocument(head, lines, paidAt)).catch(rethrowBusy)
  return { contentType: 'application/pdf', fileName: `${receiptNumber(head, paidAt)}.pdf`, body }
}

/** Throws: a full queue of the renderer as a 503, every other error as it is. */
const rethrowBusy = (error: unknown): never => {
  if (error instanceof RendererBusy)
    throw new ApiError('busy', 'Many documents are being made just now. Please try again in a moment.', { retryAfter: 5 })
  throw error
}
