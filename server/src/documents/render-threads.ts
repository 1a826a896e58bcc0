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
export type ThreadAnswer = { readonly file: Uint8Array<ArrayBuffer> } | { readonly failure: string }

export interface ThreadsPlan {
  /** The program of a thread: it answers each document with a ThreadAnswer. */
  readonly program: URL
  readonly threads: number
  /** How many documents may wait for a thread; those being drawn are not counted. */
  readonly queue: number
  readonly deadlineMs: number
}

export interface RenderThreads<Document> {
  /** @throws RendererBusy, RendererClosed or RenderingFailed, as a rejection */
  readonly render: (document: Document) => Promise<Uint8Array>
  /** Takes no more documents, lets those that it has taken come to their end, and ends the threads. */
  readonly close: () => Promise<void>
}

interface Job<Document> {
  readonly document: Document
  readonly done: (file: Uint8Array) => void
  readonly failed: (error: Error) => void
}

/** Threads that draw one document each at a time. None is started before the first document; a dead one is replaced when next needed. */
export const renderThreads = <Document>(plan: ThreadsPlan): RenderThreads<Document> => {
  const waiting: Job<Document>[] = []
  const idle: Worker[] = []
  const ends = new Set<Promise<unknown>>()
  let closed = false

  const newWorker = (): Worker => {
    const worker = new Worker(plan.program, { resourceLimits: { maxOldGenerationSizeMb: 512 } })
    // An 'error' that nobody hears would end the whole server, and a thread may also die while it rests.
    worker.on('error', () => {})
    worker.on('exit', () => idle.includes(worker) && idle.splice(idle.indexOf(worker), 1))
    return worker
  }

  const takeNext = (): void => {
    if (ends.size >= plan.threads) return
    const job = waiting.shift()
    if (job === undefined) return
    const end: Promise<void> = work(job).finally(() => {
      ends.delete(end)
      takeNext()
    })
    ends.add(end)
  }

  const work = async (job: Job<Document>): Promise<void> => {
    const worker = idle.pop() ?? newWorker()
    const survived = await drawn(worker, job, plan.deadlineMs)
    if (survived) idle.push(worker)
  }

  const render = (document: Document): Promise<Uint8Array> =>
    new Promise((done, failed) => {
      if (closed) throw new RendererClosed('The document renderer is closed.')
      if (ends.size >= plan.threads && waiting.length >= plan.queue) throw new RendererBusy('Too many documents wait to be drawn.')
      waiting.push({ document, done, failed })
      takeNext()
    })

  const close = async (): Promise<void> => {
    closed = true
    while (ends.size > 0) await Promise.all(ends)
    await Promise.all(idle.splice(0).map((worker) => worker.terminate()))
  }

  return { render, close }
}

/** Gives one job to one thread and settles it. True where the thread can take another. */
const drawn = async <Document>(worker: Worker, { document, done, failed }: Job<Document>, deadlineMs: number): Promise<boolean> => {
  const outcome = Promise.withResolvers<ThreadAnswer | Error>()
  const deadline = setTimeout(() => outcome.resolve(new RenderingFailed(`The document took longer than ${deadlineMs} ms.`)), deadlineMs)
  const died = (cause: unknown) => outcome.resolve(new RenderingFailed('The thread of the document died.', { cause }))
  worker.once('message', outcome.resolve).once('error', died).once('exit', died)
  worker.ref()
  try {
    worker.postMessage(document, [])
  } catch (cause) {
    outcome.resolve({ failure: `The document cannot be sent to a thread: ${String(cause)}` })
  }
  const answer = await outcome.promise
  clearTimeout(deadline)
  worker.off('message', outcome.resolve).off('error', died).off('exit', died)
  if (answer instanceof Error) {
    await worker.terminate()
    failed(answer)
    return false
  }
  // A thread that has nothing to draw must not keep the process alive.
  worker.unref()
  if ('file' in answer) done(answer.file)
  else failed(new RenderingFailed(answer.failure))
  return true
}
