import { workerPool, type WorkerPool } from '../kit/worker-pool.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import type { ReceiptDocument } from './receipt-document.ts'
import type { ReportDocument } from './report-document.ts'

/** Thrown when the queue is full; the same call may succeed a moment later. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy'
}

/** Thrown after `close`. */
export class RendererClosed extends Error {
  override readonly name = 'RendererClosed'
}

/** Thrown when a document cannot be rendered, or when its thread died or missed the deadline. */
export class RenderingFailed extends Error {
  override readonly name = 'RenderingFailed'
}

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
const TIME_LIMIT_MS = 30_000
const REPORT_TIME_LIMIT_MS = 180_000
const MAX_MEMORY_MB = 512

const newPool = (program: string, maxThreads: number, timeLimitMs: number): WorkerPool =>
  workerPool({ program: new URL(program, import.meta.url).href, maxThreads, timeLimitMs, maxMemoryMb: MAX_MEMORY_MB })

/** Creates a renderer whose threads start with the first document and then stay warm. */
export const documentRenderer = ({ threads = 1, queue = 64 }: RendererOptions = {}): Renderer => {
  const invoices = newPool('./invoice-thread.ts', threads, TIME_LIMIT_MS)
  const reports = newPool('./report-thread.ts', 1, REPORT_TIME_LIMIT_MS)
  let isClosed = false

  const render = async (pool: WorkerPool, task: string, document: unknown): Promise<Uint8Array> => {
    if (isClosed) throw new RendererClosed('The document renderer is closed.')
    if (pool.load().waiting >= queue) throw new RendererBusy('Too many documents wait to be drawn.')
    try {
      return await pool.run<Uint8Array>(task, document)
    } catch (cause) {
      throw new RenderingFailed(cause instanceof Error ? cause.message : String(cause), { cause })
    }
  }

  return {
    invoice: (document) => render(invoices, 'renderInvoice', document),
    receipt: (document) => render(invoices, 'renderReceipt', document),
    report: (document) => render(reports, 'renderReport', document),
    close: async () => {
      isClosed = true
      await Promise.all([invoices.close(), reports.close()])
    },
  }
}
