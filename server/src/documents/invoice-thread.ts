import { parentPort } from 'node:worker_threads'
import type { InvoiceDocument } from './invoice-document.ts'
import { invoicePdf } from './invoice-pdf.ts'
import type { ThreadAnswer } from './render-threads.ts'

parentPort?.on('message', (document: InvoiceDocument) => void answer(document))

const answer = async (document: InvoiceDocument): Promise<void> => {
  try {
    const file = await invoicePdf(document)
    parentPort?.postMessage({ file } satisfies ThreadAnswer, [file.buffer])
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer, [])
  }
}
