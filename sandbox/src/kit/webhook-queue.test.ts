import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebhookQueue } from './webhook-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['is tried again when it was refused', false, 2],
  ['is not tried again when a reset came meanwhile', true, 1],
] as const)('a delivery that is under way %s', async (_, isReset, count) => {
  const first = Promise.withResolvers<boolean>()
  const answers = [first.promise, Promise.resolve(true)]
  const sent: string[] = []
  const queue = new WebhookQueue<string>({
    post: (delivery) => answers[sent.push(delivery) - 1] ?? Promise.resolve(true),
    forge: (delivery) => delivery,
    finish: () => undefined,
    giveUp: () => undefined,
  })
  const sending = queue.batch(['paid'], undefined).afterResponse()
  if (isReset) queue.reset()
  first.resolve(false)
  await sending
  await vi.runAllTimersAsync()
  expect(sent).toHaveLength(count)
})
