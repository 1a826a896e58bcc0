import { workerPool, type WorkerPool } from '../kit/worker-pool.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import type { JoinResult, PdfFile } from './pdf/join-pdfs.ts'
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
  /**
   * Renders an invoice of an archive: every invoice and receipt that somebody waits for goes first, and the queue has no limit, because
   * an archive renders one at a time.
   * @throws RendererClosed or RenderingFailed as `invoice` does
   */
  archivedInvoice(document: InvoiceDocument): Promise<Uint8Array>
  /** Joins PDF files into one, in a separate thread. @throws RendererBusy, RendererClosed or RenderingFailed as `invoice` does */
  join(title: string, files: readonly PdfFile[]): Promise<JoinResult>
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
  /** The folder of the setting FONTS_DIR; none by default. */
  readonly fontsDir?: string | null
}

/** Maximum time for an invoice or receipt; 400 lines take about half a second. */
const TIME_LIMIT_MS = 30_000
const REPORT_TIME_LIMIT_MS = 180_000
const JOIN_TIME_LIMIT_MS = 60_000
const BACKGROUND_PRIORITY = -1
const MAX_MEMORY_MB = 512

/** A pool of worker threads that run one of the thread modules here. */
const newPool = (program: string, maxThreads: number, timeLimitMs: number, fontsDir: string | null): WorkerPool =>
  workerPool({ program: new URL(program, import.meta.url).href, maxThreads, timeLimitMs, maxMemoryMb: MAX_MEMORY_MB, data: fontsDir })

/** Runs a task in a thread of the pool. @throws RenderingFailed for every failure */
const runIn = async <T>(pool: WorkerPool, task: string, input: unknown, priority?: number): Promise<T> => {
  try {
    return await pool.run<T>(task, input, priority)
  } catch (cause) {
    throw new RenderingFailed(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Creates a renderer whose threads start with the first document and then stay warm. */
export const documentRenderer = ({ threads = 1, queue = 64, fontsDir = null }: RendererOptions = {}): Renderer => {
  const invoices = newPool('./invoice-thread.ts', threads, TIME_LIMIT_MS, fontsDir)
  const reports = newPool('./report-thread.ts', 1, REPORT_TIME_LIMIT_MS, fontsDir)
  const joins = newPool('./join-thread.ts', 1, JOIN_TIME_LIMIT_MS, fontsDir)
  let isClosed = false

  const assertOpen = (): void => {
    if (isClosed) throw new RendererClosed('The document renderer is closed.')
  }
  const render = async <T = Uint8Array>(pool: WorkerPool, task: string, input: unknown): Promise<T> => {
    assertOpen()
    if (pool.load().waiting >= queue) throw new RendererBusy('Too many documents wait to be drawn.')
    return runIn(pool, task, input)
  }

  return {
    invoice: (document) => render(invoices, 'renderInvoice', document),
    archivedInvoice: async (document) => {
      assertOpen()
      return runIn(invoices, 'renderInvoice', document, BACKGROUND_PRIORITY)
    },
    join: (title, files) => render(joins, 'join', { title, files }),
    receipt: (document) => render(invoices, 'renderReceipt', document),
    report: (document) => render(reports, 'renderReport', document),
    close: async () => {
      isClosed = true
      await Promise.all([invoices.close(), reports.close(), joins.close()])
    },
  }
}
