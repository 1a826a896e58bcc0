import type { InvoiceDocument } from './invoice-document.ts'
import type { ReceiptDocument } from './receipt-document.ts'
import { renderPool } from './render-pool.ts'
import type { ReportDocument } from './report-document.ts'

export { RendererBusy, RendererClosed, RenderingFailed } from './render-pool.ts'

/** Draws documents in threads of its own, so that the thread which answers calls stays free. */
export interface Renderer {
  /**
   * The PDF of an invoice: the same bytes for the same document.
   * @throws RendererBusy when too many wait, RendererClosed after `close`, RenderingFailed when the document cannot be drawn
   */
  invoice(document: InvoiceDocument): Promise<Uint8Array>
  /** The PDF of a payment's receipt, as `invoice` gives an invoice's. */
  receipt(document: ReceiptDocument): Promise<Uint8Array>
  /**
   * The file of a report, made in a thread of its own, so that no invoice waits for one.
   * @throws RendererBusy, RendererClosed or RenderingFailed as `invoice` does
   */
  report(document: ReportDocument): Promise<Uint8Array>
  /** Refuses new documents, finishes those that it has taken, and ends the threads. */
  close(): Promise<void>
}

export interface RendererOptions {
  /** How many documents are drawn at once; 1 where it is missing. */
  readonly threads?: number
  /** How many more may wait; 64 where it is missing. */
  readonly queue?: number
}

/** The longest that a document may take; four hundred lines take half a second. */
const DEADLINE_MS = 30_000
const REPORT_DEADLINE_MS = 180_000

/** A renderer at rest: its threads start with the first documents, and then stay warm. */
export const documentRenderer = ({ threads = 1, queue = 64 }: RendererOptions = {}): Renderer => {
  const poolOptions = (program: string) => ({ program: new URL(program, import.meta.url), queue })
  const invoices = renderPool<InvoiceDocument | ReceiptDocument>({
    ...poolOptions('./invoice-thread.ts'),
    threads,
    deadlineMs: DEADLINE_MS,
  })
  const reports = renderPool<ReportDocument>({ ...poolOptions('./report-thread.ts'), threads: 1, deadlineMs: REPORT_DEADLINE_MS })
  return {
    invoice: invoices.render,
    receipt: invoices.render,
    report: reports.render,
    close: async () => {
      await Promise.all([invoices.close(), reports.close()])
    },
  }
}
