import { Worker } from 'node:worker_threads'

/** Thrown when as many documents wait as may wait; the same call may pass a moment later. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy'
}

/** Thrown to those who ask a closed renderer. */
export class RendererClosed extends Error {
  override readonly name = 'RendererClosed'
}

/** Thrown when a document could not be drawn, or its thread died or took too long over it. */
export class RenderingFailed extends Error {
  override readonly name = 'RenderingFailed'
}

/** What a thread answers to a document. */
export type RenderResult = { readonly file: Uint8Array<ArrayBuffer> } | { readonly failure: string }

export interface RenderPoolOptions {
  /** The program of a thread: it answers each document with a ThreadAnswer. */
  readonly program: URL
  readonly threads: number
  /** How many documents may wait for a thread; those being drawn are not counted. */
  readonly queue: number
  readonly deadlineMs: number
}

export interface RenderPool<Document> {
  /** @throws RendererBusy, RendererClosed or RenderingFailed, as a rejection */
  readonly render: (document: Document) => Promise<Uint8Array>
  /** Takes no more documents, lets those that it has taken come to their end, and ends the threads. */
  readonly close: () => Promise<void>
}

interface Job<Document> {
  readonly document: Document
  readonly resolve: (file: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/** Threads that draw one document each at a time. None is started before the first document; a dead one is replaced when next needed. */
export const renderPool = <Document>(options: RenderPoolOptions): RenderPool<Document> => {
  const waiting: Job<Document>[] = []
  const idleWorkers: Worker[] = []
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  const newWorker = (): Worker => {
    const worker = new Worker(options.program, { resourceLimits: { maxOldGenerationSizeMb: 512 } })
    // An 'error' that nobody hears would end the whole server, and a thread may also die while it rests.
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

/** Gives one job to one thread and settles it. True where the thread can take another. */
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
  // A thread that has nothing to draw must not keep the process alive.
  worker.unref()
  if ('file' in answer) resolve(answer.file)
  else reject(new RenderingFailed(answer.failure))
  return true
}
