import PQueue from 'p-queue'
import { Piscina } from 'piscina'

export interface WorkerPoolOptions {
  /** The module that a thread runs; its exported functions are the tasks. */
  readonly program: string
  readonly maxThreads: number
  /** A task that takes longer loses its thread and fails. */
  readonly timeLimitMs?: number
  /** An idle thread ends after this time; it stays by default. */
  readonly idleTimeoutMs?: number
  /** The most memory of a thread's objects; a thread that needs more dies. */
  readonly maxMemoryMb?: number
  /** What a thread finds as `workerData` of piscina. */
  readonly data?: unknown
  /** Added to the threads' nice value. */
  readonly niceIncrement?: number
}

export interface WorkerPool {
  /**
   * Runs an exported function of the program in a thread; of the waiting tasks, those with a higher priority go first.
   * @throws what the function throws; an Error when the thread dies or is too slow
   */
  run<T>(name: string, task: unknown, priority?: number): Promise<T>
  /** How many tasks run, and how many wait for a thread. */
  load(): { readonly running: number; readonly waiting: number }
  /** Finishes the accepted tasks and ends the threads. */
  close(): Promise<void>
}

/** A pool of worker threads that do one task at a time. None starts before the first task; a dead one is replaced when a task needs it. */
export const workerPool = ({ program, maxThreads, timeLimitMs, ...limits }: WorkerPoolOptions): WorkerPool => {
  const pool = new Piscina({
    filename: program,
    minThreads: 0,
    maxThreads,
    idleTimeout: limits.idleTimeoutMs ?? Infinity,
    workerData: limits.data,
    ...(limits.niceIncrement === undefined ? {} : { niceIncrement: limits.niceIncrement }),
    ...(limits.maxMemoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: limits.maxMemoryMb } }),
  })
  // Piscina gives tasks of its own queue to a new thread only when another task arrives, so that tasks wait here while all threads are
  // busy.
  const queue = new PQueue({ concurrency: maxThreads })
  const running = new Set<AbortController>()

  // A thread may die before it has taken a task. When no other is left to take it, the task fails instead of waiting.
  const failUnservedTasks = (): void => {
    if (pool.threads.length > 0) return
    for (const task of running) task.abort(new Error('The thread of the task did not start.'))
  }
  pool.on('workerDestroy', () => setImmediate(failUnservedTasks))
  // An 'error' event without a listener would end the process; the tasks of the thread have failed with it.
  pool.on('error', () => {})

  const runInThread = async <T>(name: string, task: unknown): Promise<T> => {
    const abort = new AbortController()
    const onTimeout = (): void => abort.abort(new Error(`The task took longer than ${timeLimitMs} ms.`))
    const timer = timeLimitMs === undefined ? undefined : setTimeout(onTimeout, timeLimitMs)
    running.add(abort)
    try {
      return (await pool.run(task, { name, signal: abort.signal })) as T
    } catch (error) {
      throw abort.signal.aborted ? abort.signal.reason : error
    } finally {
      running.delete(abort)
      clearTimeout(timer)
    }
  }

  return {
    run: (name, task, priority = 0) => queue.add(() => runInThread(name, task), { priority }),
    load: () => ({ running: queue.pending, waiting: queue.size }),
    close: async () => {
      await queue.onIdle()
      await pool.destroy()
    },
  }
}
