import { invoices } from '@counterfoil/contract/invoices'
import { isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import type { FileResponse } from '../../http/request-context.ts'
import { notFound } from '../../kit/api-error.ts'
import { loadInvoicePdf } from '../invoices/invoices.service.ts'
import { renderReceipt } from '../payment-history/payment-history.service.ts'
import { readLinkSections } from './invoice-payment.queries.ts'
import { hasLinkReceipt } from './invoice-payment.rules.ts'
import {
  requireLinkedInvoice,
  type InvoicePaymentDeps,
  type PublicRequest,
  readLastPayment,
  transactAsCustomer,
} from './invoice-payment.service.ts'

/**
 * The invoice of a payment link as a PDF, for whoever has the link.
 * @throws ApiError 404 for an unknown link, and where the brand shows its users no invoices; 429 when it is asked too often; 503 while too
 *   many are being rendered
 */
export const loadLinkInvoice = async (deps: InvoicePaymentDeps, request: PublicRequest, token: string): Promise<FileResponse> => {
  deps.localLimiter.consume('linkReads', token, request.now)
  const link = await requireLinkedInvoice(request, token)
  const transact = transactAsCustomer(deps, link)
  const flags = await transact((db) => readLinkSections(db, link))
  if (!isAnySectionOpen(invoices.document.sections, flags)) throw notFound()
  return loadInvoicePdf(deps, { scope: link, transact, now: request.now }, link.invoiceId)
}

/**
 * The receipt of the payment that has paid the invoice of a link as a PDF, for whoever has the link.
 * @throws ApiError 404 for an unknown link, without a receipt, and where the receipt names other invoices; 429, 503 as loadLinkInvoice
 */
export const renderLinkReceipt = async (deps: InvoicePaymentDeps, request: PublicRequest, token: string): Promise<FileResponse> => {
  deps.localLimiter.consume('linkReads', token, request.now)
  const link = await requireLinkedInvoice(request, token)
  const payment = await readLastPayment(deps, link)
  if (payment === null || !hasLinkReceipt(payment)) throw notFound()
  return renderReceipt(deps, { scope: link, transact: transactAsCustomer(deps, link) }, payment.id)
}
