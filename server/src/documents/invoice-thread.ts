import { parentPort } from 'node:worker_threads'
import type { InvoiceDocument } from './invoice-document.ts'
import { invoicePdf } from './invoice-pdf.ts'

/** What a thread answers to a document. */
export type ThreadAnswer = { readonly pdf: Uint8Array<ArrayBuffer> } | { readonly failure: string }

parentPort?.on('message', (document: InvoiceDocument) => void answer(document))

const answer = async (document: InvoiceDocument): Promise<void> => {
  try {
    const pdf = await invoicePdf(document)
    parentPort?.postMessage({ pdf } satisfies ThreadAnswer, [pdf.buffer])
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer, [])
  }
}
