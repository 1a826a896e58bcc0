/** Runs in a worker thread of documents/renderer.ts. */
import { move } from 'piscina'
import { invoiceDetailPdf } from './pdf/invoice/invoice-detail-pdf.ts'
import type { ReportDocument } from './report-document.ts'
import { statementPdf } from './pdf/statement-pdf.ts'

export const renderReport = async (document: ReportDocument) =>
  move(await (document.kind === 'statement' ? statementPdf(document) : invoiceDetailPdf(document)))
