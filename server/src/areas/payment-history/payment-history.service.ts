import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { paymentHistory } from '@counterfoil/contract/payment-history'
import { type Renderer, RendererBusy } from '../../documents/renderer.ts'
import { notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import { type AttemptStatus, hasReceipt } from '../../payments/engine/attempt.ts'
import { attemptsOf, countAttempts, historyInvoice, receiptHead, receiptLines } from './payment-history.queries.ts'
import { entryOf } from './payment-history.rules.ts'
import { receiptNumber, receiptPaper } from './receipt-document.rules.ts'

export interface PaymentHistoryDeps {
  readonly renderer: Renderer
}

/** A page of the tries to pay an invoice, newest first. @throws Refusal 404, the same for a foreign invoice and for a missing one */
export const invoicePayments = (
  { scope, transact }: CustomerRequestContext,
  invoiceId: number,
  { pageNumber, pageSize }: RequestInput<typeof paymentHistory.list>['query'],
): Promise<ResponseBody<typeof paymentHistory.list>> =>
  transact(async (db) => {
    const invoice = await historyInvoice(db, scope, invoiceId)
    if (invoice === undefined) throw notFound()
    const rows = await attemptsOf(db, scope, invoiceId, { offset: (pageNumber - 1) * pageSize, limit: pageSize })
    return {
      payments: rows.map((row) => entryOf(row, invoice.currencySymbol)),
      totalCount: await countAttempts(db, scope, invoiceId),
    }
  })

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * A payment's receipt as a PDF.
 * @throws Refusal 404, the same for a foreign payment, a missing one, and one without a receipt; 503 while too many are being drawn
 */
export const receipt = async (
  { renderer }: PaymentHistoryDeps,
  { scope, transact }: CustomerRequestContext,
  id: string,
): Promise<FileResponse> => {
  if (!UUID.test(id)) throw notFound()
  const found = await transact(async (db) => {
    const head = await receiptHead(db, scope, id)
    return head === undefined ? undefined : { head, lines: await receiptLines(db, scope, id) }
  })
  if (found === undefined || found.head.paidAt === null || !hasReceipt(found.head.status as AttemptStatus)) throw notFound()
  const { head, lines } = found
  const { paidAt } = found.head
  const body = await renderer.receipt(receiptPaper(head, lines, paidAt)).catch(busy)
  return { contentType: 'application/pdf', fileName: `${receiptNumber(head, paidAt)}.pdf`, body }
}

const busy = (error: unknown): never => {
  if (error instanceof RendererBusy)
    throw new ApiError('busy', 'Many documents are being made just now. Please try again in a moment.', { retryAfter: 5 })
  throw error
}
