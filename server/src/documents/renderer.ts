import type { InvoiceDocument } from './invoice-document.ts'
import type { ReceiptDocument } from './receipt-document.ts'
import { renderPool } from './render-pool.ts'
import type { ReportDocument } from './report-document.ts'

export { RendererBusy, RendererClosed, RenderingFailed } from './render-pool.ts'

/** Renders documents in worker threads, so that the thread that answers requests stays free. */
export interface Renderer {
  /**
   * Renders an invoice as a PDF: the same bytes for the same document.
   * @throws RendererBusy when too many wait, RendererClosed after `close`, RenderingFailed when the document cannot be rendered
   */
  invoice(document: InvoiceDocument): Promise<Uint8Array>
  /** Renders the receipt of a payment as a PDF, with the same errors as `invoice`. */
  receipt(document: ReceiptDocument): Promise<Uint8Array>
  /**
   * Renders a report as a PDF in a separate thread, so that no invoice waits for a report.
   * @throws RendererBusy, RendererClosed or RenderingFailed as `invoice` does
   */
  report(document: ReportDocument): Promise<Uint8Array>
  /** Rejects new documents, finishes the accepted ones and ends the threads. */
  close(): Promise<void>
}

export interface RendererOptions {
  /** How many invoices and receipts are rendered at once; 1 by default. */
  readonly threads?: number
  /** How many more may wait; 64 by default. */
  readonly queue?: number
}

/** Maximum time for an invoice or receipt; 400 lines take about half a second. */
const DEADLINE_MS = 30_000
const REPORT_DEADLINE_MS = 180_000

/** Creates a renderer whose threads start with the first document and then stay warm. */
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
