import { Worker } from 'node:worker_threads'

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

/** The message that a thread sends back for a document. */
export type RenderResult = { readonly file: Uint8Array<ArrayBuffer> } | { readonly failure: string }

export interface RenderPoolOptions {
  /** The module that a thread runs; it answers each document with a RenderResult. */
  readonly program: URL
  readonly threads: number
  /** How many documents may wait for a thread, not counting those being rendered. */
  readonly queue: number
  readonly deadlineMs: number
}

export interface RenderPool<Document> {
  /** @throws RendererBusy, RendererClosed or RenderingFailed, as a rejection */
  readonly render: (document: Document) => Promise<Uint8Array>
  /** Accepts no more documents, finishes the accepted ones and ends the threads. */
  readonly close: () => Promise<void>
}

interface Job<Document> {
  readonly document: Document
  readonly resolve: (file: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/** Threads that render one document at a time. None starts before the first document; a dead one is replaced when it is next needed. */
export const renderPool = <Document>(options: RenderPoolOptions): RenderPool<Document> => {
  const waiting: Job<Document>[] = []
  const idleWorkers: Worker[] = []
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  const newWorker = (): Worker => {
    const worker = new Worker(options.program, { resourceLimits: { maxOldGenerationSizeMb: 512 } })
    // An 'error' event without a listener would end the server, and a thread may also die while it is idle.
    worker.on('error', () => {})
    worker.on('exit', () => idleWorkers.includes(worker) && idleWorkers.splice(idleWorkers.indexOf(worker), 1))
    return worker
  }

  const startNext = (): void => {
    if (running.size >= options.threads) return
    const job = waiting.shift()
    if (job === undefined) return
    const end: Promise<void> = runNext(job).finally(() => {
      running.delete(end)
      startNext()
    })
    running.add(end)
  }

  const runNext = async (job: Job<Document>): Promise<void> => {
    const worker = idleWorkers.pop() ?? newWorker()
    const isReusable = await runJob(worker, job, options.deadlineMs)
    if (isReusable) idleWorkers.push(worker)
  }

  const render = (document: Document): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new RendererClosed('The document renderer is closed.')
      if (running.size >= options.threads && waiting.length >= options.queue) throw new RendererBusy('Too many documents wait to be drawn.')
      waiting.push({ document, resolve, reject })
      startNext()
    })

  const close = async (): Promise<void> => {
    isClosed = true
    while (running.size > 0) await Promise.all(running)
    await Promise.all(idleWorkers.splice(0).map((worker) => worker.terminate()))
  }

  return { render, close }
}

/** Runs one job on one thread and settles its promise. Returns true when the thread can be reused. */
const runJob = async <Document>(worker: Worker, { document, resolve, reject }: Job<Document>, deadlineMs: number): Promise<boolean> => {
  const outcome = Promise.withResolvers<RenderResult | Error>()
  const deadline = setTimeout(() => outcome.resolve(new RenderingFailed(`The document took longer than ${deadlineMs} ms.`)), deadlineMs)
  const onDeath = (cause: unknown) => outcome.resolve(new RenderingFailed('The thread of the document died.', { cause }))
  worker.once('message', outcome.resolve).once('error', onDeath).once('exit', onDeath)
  worker.ref()
  try {
    worker.postMessage(document, [])
  } catch (cause) {
    outcome.resolve({ failure: `The document cannot be sent to a thread: ${String(cause)}` })
  }
  const answer = await outcome.promise
  clearTimeout(deadline)
  worker.off('message', outcome.resolve).off('error', onDeath).off('exit', onDeath)
  if (answer instanceof Error) {
    await worker.terminate()
    reject(answer)
    return false
  }
  // An idle thread must not keep the process alive.
  worker.unref()
  if ('file' in answer) resolve(answer.file)
  else reject(new RenderingFailed(answer.failure))
  return true
}
