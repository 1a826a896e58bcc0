import PQueue from 'p-queue'

/** Makes a function that runs work with the same key one after the other, in the order of the calls, within this process alone. */
export const keyedMutex = (): (<T>(key: string, work: () => Promise<T>) => Promise<T>) => {
  const queues = new Map<string, PQueue>()
  return async (key, work) => {
    const queue = queues.get(key) ?? new PQueue({ concurrency: 1 })
    queues.set(key, queue)
    try {
      return (await queue.add(work)) as Awaited<ReturnType<typeof work>>
    } finally {
      if (queue.size + queue.pending === 0) queues.delete(key)
    }
  }
}
