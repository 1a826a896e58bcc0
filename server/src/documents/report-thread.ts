/** Runs in a worker thread of documents/renderer.ts. */
import { move, workerData } from 'piscina'
import { invoiceDetailPdf } from './pdf/invoice/invoice-detail-pdf.ts'
import type { ReportDocument } from './report-document.ts'
import { useFontsFolder } from './pdf/canvas/fonts.ts'
import { statementPdf } from './pdf/statement-pdf.ts'

useFontsFolder(workerData as string | null)

/** Renders an account statement, or an invoice with its usage, in this worker thread, and hands its bytes over without a copy. */
export const renderReport = async (document: ReportDocument) =>
  move(await (document.kind === 'statement' ? statementPdf(document) : invoiceDetailPdf(document)))
