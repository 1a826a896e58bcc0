import { parentPort } from 'node:worker_threads'
import type { InvoiceDocument } from './invoice-document.ts'
import { invoicePdf } from './pdf/invoice/invoice-pdf.ts'
import type { ReceiptDocument } from './receipt-document.ts'
import { receiptPdf } from './pdf/receipt-pdf.ts'
import type { RenderResult } from './render-pool.ts'

parentPort?.on('message', (document: InvoiceDocument | ReceiptDocument) => void renderAndReply(document))

const renderAndReply = async (document: InvoiceDocument | ReceiptDocument): Promise<void> => {
  try {
    const file = await ('kind' in document ? receiptPdf(document) : invoicePdf(document))
    parentPort?.postMessage({ file } satisfies RenderResult, [file.buffer])
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies RenderResult, [])
  }
}
