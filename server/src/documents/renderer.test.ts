import { expect, onTestFinished, test, vi } from 'vitest'
import { documentRenderer, RendererBusy, RendererClosed, RenderingFailed } from './renderer.ts'
import { sampleInvoice } from './pdf/invoice/sample-invoice.ts'

vi.setConfig({ testTimeout: 60_000 })

test('[INV-05] documents beyond the queue limit are rejected at once, and the others are rendered', async () => {
  const renderer = documentRenderer({ queue: 1 })
  onTestFinished(() => renderer.close())

  const [first, second, third] = [renderer.invoice(sampleInvoice()), renderer.invoice(sampleInvoice()), renderer.invoice(sampleInvoice())]
  await expect(third).rejects.toThrow(RendererBusy)
  expect(await first).toEqual(await second)
})

test('[INV-05] a document that cannot be rendered fails alone, and the next is rendered', async () => {
  const renderer = documentRenderer()
  onTestFinished(() => renderer.close())

  await expect(renderer.invoice(sampleInvoice({ lines: [Symbol('of no thread') as never] }))).rejects.toThrow(RenderingFailed)
  expect(Buffer.from((await renderer.invoice(sampleInvoice())).slice(0, 5)).toString()).toBe('%PDF-')
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
