import { expect, onTestFinished, test, vi } from 'vitest'
import { documentRenderer, RendererBusy, RendererClosed, RenderingFailed } from './renderer.ts'
import { renderPool, type RenderPoolOptions } from './render-pool.ts'
import { sampleInvoice } from './pdf/invoice/sample-invoice.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A thread module that does what the invoice's number says and answers with its thread id. */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    const meetAnother = (then) => {
      const channel = new BroadcastChannel('meeting')
      channel.onmessage = () => {
        channel.postMessage('me too')
        channel.close()
        then()
      }
      channel.postMessage('here')
    }
    parentPort.on('message', ({ number }) => {
      if (number === 'die') process.exit(1)
      if (number === 'throw') throw new Error('thrown in the thread')
      if (number === 'hang') for (;;);
      const answer = () => parentPort.postMessage({ file: Uint8Array.of(threadId) })
      if (number === 'refuse') parentPort.postMessage({ failure: 'cannot be drawn' })
      else if (number === 'meet') meetAnother(answer)
      else answer()
    })
  `)}`,
)

const threads = (options: Partial<RenderPoolOptions> = {}) => {
  const pool = renderPool({ program, threads: 1, queue: 8, deadlineMs: 60_000, ...options })
  onTestFinished(() => pool.close())
  return async (number: string): Promise<number | undefined> => (await pool.render(sampleInvoice({ number })))[0]
}

test('[INV-05] documents are rendered in one warm thread, not in the main thread', async () => {
  const draw = threads()

  const first = await draw('1')
  expect(first).toBeGreaterThan(0)
  expect(await Promise.all([draw('2'), draw('3')])).toEqual([first, first])
})

test('[INV-05] two threads render two documents at once', async () => {
  const draw = threads({ threads: 2 })

  const [first, second] = await Promise.all([draw('meet'), draw('meet')])
  expect(first).not.toBe(second)
})

test('[INV-05] documents beyond the queue limit are rejected at once, and the others are rendered', async () => {
  const draw = threads({ queue: 1 })

  const [first, second, third] = [draw('1'), draw('2'), draw('3')]
  await expect(third).rejects.toThrow(RendererBusy)
  expect(await first).toBe(await second)
})

test.each(['die', 'throw'])(
  '[INV-05] when a document makes its thread %s, that document fails and the next has a new thread',
  async (number) => {
    const draw = threads()
    const before = await draw('1')

    const [failing, next] = [draw(number), draw('2')]
    await expect(failing).rejects.toThrow(RenderingFailed)
    expect(await next).toBeGreaterThan(before ?? 0)
  },
)

test('[INV-05] a document that never ends loses its thread at the deadline, and the next has a new one', async () => {
  const draw = threads({ deadlineMs: 5_000 })
  const before = await draw('1')

  await expect(draw('hang')).rejects.toThrow('5000 ms')
  expect(await draw('2')).toBeGreaterThan(before ?? 0)
})

test('[INV-05] a document that cannot be rendered fails alone; its thread is reused', async () => {
  const draw = threads()

  await expect(draw('refuse')).rejects.toThrow('cannot be drawn')
  expect(await draw('1')).toBe(await draw('2'))
})

test('[INV-05] a closed renderer has finished the accepted documents and rejects new ones', async () => {
  const renderer = documentRenderer()
  const pending = [renderer.invoice(sampleInvoice()), renderer.invoice(sampleInvoice())]

  await renderer.close()
  for (const pdf of await Promise.all(pending)) expect(Buffer.from(pdf.slice(0, 5)).toString()).toBe('%PDF-')
  await expect(renderer.invoice(sampleInvoice())).rejects.toThrow(RendererClosed)
})

test('[INV-05] a renderer that was never used has no thread to end', async () => {
  const renderer = documentRenderer()
  await expect(renderer.close()).resolves.toBeUndefined()
})
