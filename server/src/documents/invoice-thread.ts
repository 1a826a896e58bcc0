/** Runs in a worker thread of documents/renderer.ts. */
import { move, workerData } from 'piscina'
import type { InvoiceDocument } from './invoice-document.ts'
import { invoicePdf } from './pdf/invoice/invoice-pdf.ts'
import type { ReceiptDocument } from './receipt-document.ts'
import { useFontsFolder } from './pdf/canvas/fonts.ts'
import { receiptPdf } from './pdf/receipt-pdf.ts'

useFontsFolder(workerData as string | null)

/** Renders an invoice in this worker thread, and hands its bytes over without a copy. */
export const renderInvoice = async (document: InvoiceDocument) => move(await invoicePdf(document))

/** Renders a receipt in this worker thread, and hands its bytes over without a copy. */
export const renderReceipt = async (document: ReceiptDocument) => move(await receiptPdf(document))
