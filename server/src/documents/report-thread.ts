import { parentPort } from 'node:worker_threads'
import { invoiceDetailPdf } from './pdf/invoice/invoice-detail-pdf.ts'
import type { RenderResult } from './render-pool.ts'
import type { ReportDocument } from './report-document.ts'
import { statementPdf } from './pdf/statement-pdf.ts'

parentPort?.on('message', (document: ReportDocument) => void renderAndReply(document))

const renderAndReply = async (document: ReportDocument): Promise<void> => {
  try {
    const file = await renderReport(document)
    parentPort?.postMessage({ file } satisfies RenderResult, [file.buffer])
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies RenderResult, [])
  }
}

const renderReport = (document: ReportDocument): Promise<Uint8Array<ArrayBuffer>> =>
  document.kind === 'statement' ? statementPdf(document) : invoiceDetailPdf(document)
