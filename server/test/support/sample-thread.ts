/** Runs in the worker threads of a test; each function does what its name says. */
import { threadId } from 'node:worker_threads'

export const answer = (): number => threadId

export const fail = (): never => {
  throw new TypeError('cannot be done')
}

export const die = (): never => process.exit(1)

/** Throws in a callback, where the task cannot catch it. */
export const crash = (): Promise<never> =>
  new Promise(() => {
    setImmediate(() => {
      throw new Error('thrown in the thread')
    })
  })

export const hang = (): never => {
  for (;;);
}

export const exhaustMemory = (): number => {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => at + kept.length))
}

/** Answers when another thread meets as well. */
export const meet = (): Promise<number> =>
  new Promise((resolve) => {
    const channel = new BroadcastChannel('meeting')
    channel.addEventListener('message', () => {
      channel.postMessage('me too')
      channel.close()
      resolve(threadId)
    })
    channel.postMessage('here')
  })
