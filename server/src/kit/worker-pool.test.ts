import { expect, onTestFinished, test, vi } from 'vitest'
import { workerPool, type WorkerPoolOptions } from './worker-pool.ts'

vi.setConfig({ testTimeout: 60_000 })

const SAMPLE = new URL('../../test/support/sample-thread.ts', import.meta.url).href

const startPool = (options: Partial<WorkerPoolOptions> = {}) => {
  const pool = workerPool({ program: SAMPLE, maxThreads: 1, ...options })
  onTestFinished(() => pool.close())
  return (task: string): Promise<number> => pool.run<number>(task, null)
}

test('[INV-05] tasks run in one warm thread, not in the main thread', async () => {
  const run = startPool()

  const first = await run('answer')
  expect(first).toBeGreaterThan(0)
  expect(await Promise.all([run('answer'), run('answer')])).toEqual([first, first])
})

test('[INV-05] two threads do two tasks at once', async () => {
  const run = startPool({ maxThreads: 2 })

  const [first, second] = await Promise.all([run('meet'), run('meet')])
  expect(first).not.toBe(second)
})

test.each(['die', 'crash'])(
  '[INV-05] when a task makes its thread %s, that task fails and the waiting ones get a new thread',
  async (task) => {
    const run = startPool()
    const before = await run('answer')

    const [failing, next, last] = [run(task), run('answer'), run('answer')]
    await expect(failing).rejects.toThrow(task === 'die' ? 'exited' : 'thrown in the thread')
    expect(await next).toBeGreaterThan(before)
    expect(await last).toBe(await next)
  },
)

test('[INV-05] when all threads die at once, every waiting task is still done', async () => {
  const run = startPool({ maxThreads: 2 })

  const failing = [run('die'), run('die')]
  const waiting = [run('answer'), run('answer'), run('answer')]
  for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe('rejected')
  for (const thread of await Promise.all(waiting)) expect(thread).toBeGreaterThan(0)
})

test('[INV-05] a task that never ends loses its thread at the time limit, and the next has a new one', async () => {
  const run = startPool({ timeLimitMs: 5_000 })
  const before = await run('answer')

  await expect(run('hang')).rejects.toThrow('5000 ms')
  expect(await run('answer')).toBeGreaterThan(before)
})

test('[INV-05] a task that needs too much memory fails alone', async () => {
  const run = startPool({ maxMemoryMb: 32 })

  await expect(run('exhaustMemory')).rejects.toThrow('memory')
  expect(await run('answer')).toBeGreaterThan(0)
})

test('[INV-05] a task that throws fails alone; its thread is reused', async () => {
  const run = startPool()

  await expect(run('fail')).rejects.toThrow('cannot be done')
  expect(await run('answer')).toBe(await run('answer'))
})

test('[INV-05] tasks fail at once when their threads cannot start', async () => {
  const run = startPool({ program: new URL('./no-such-thread.ts', import.meta.url).href })

  for (const outcome of await Promise.allSettled([run('answer'), run('answer')])) expect(outcome.status).toBe('rejected')
})

test('[INV-05] a closed pool has finished the accepted tasks', async () => {
  const pool = workerPool({ program: SAMPLE, maxThreads: 1 })
  const accepted = [pool.run<number>('answer', null), pool.run<number>('answer', null)]

  await pool.close()
  expect(pool.load()).toEqual({ running: 0, waiting: 0 })
  for (const thread of await Promise.all(accepted)) expect(thread).toBeGreaterThan(0)
})
