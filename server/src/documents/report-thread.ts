import { parentPort } from 'node:worker_threads'
import { invoiceDetailPdf } from './pdf/invoice/invoice-detail-pdf.ts'
import type { ThreadAnswer } from './render-threads.ts'
import type { ReportDocument } from './report-document.ts'
import { statementPdf } from './pdf/statement-pdf.ts'

parentPort?.on('message', (document: ReportDocument) => void answer(document))

const answer = async (document: ReportDocument): Promise<void> => {
  try {
    const file = await fileOf(document)
    parentPort?.postMessage({ file } satisfies ThreadAnswer, [file.buffer])
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer, [])
  }
}

const fileOf = (document: ReportDocument): Promise<Uint8Array<ArrayBuffer>> =>
  document.kind === 'statement' ? statementPdf(document) : invoiceDetailPdf(document)
