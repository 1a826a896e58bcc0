import { parentPort } from 'node:worker_threads'
import type { InvoiceDocument } from './invoice-document.ts'
import { invoicePdf } from './pdf/invoice/invoice-pdf.ts'
import type { ReceiptDocument } from './receipt-document.ts'
import { receiptPdf } from './pdf/receipt-pdf.ts'
import type { ThreadAnswer } from './render-threads.ts'

parentPort?.on('message', (document: InvoiceDocument | ReceiptDocument) => void answer(document))

const answer = async (document: InvoiceDocument | ReceiptDocument): Promise<void> => {
  try {
    const file = await ('kind' in document ? receiptPdf(document) : invoicePdf(document))
    parentPort?.postMessage({ file } satisfies ThreadAnswer, [file.buffer])
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer, [])
  }
}
