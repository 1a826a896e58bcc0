import { expect, test } from 'vitest'
import { readFrameMessage } from './frame-message.ts'

const [WINDOW, OTHER] = [{} as Window, {} as Window]
const FRAME = { window: WINDOW, src: 'https://pay.example/hosted/?jp_tid=x' }
const message = (data: unknown, origin = 'null', source: Window | null = WINDOW) => ({ data, origin, source })

test.each(['000', 'AFS-103'])('[PM-40] type 4: %s says that the entry was accepted', (code) => {
  expect(readFrameMessage(message(code), FRAME)).toEqual({ kind: 'accepted' })
  expect(readFrameMessage(message(code, 'https://pay.example'), FRAME)).toEqual({ kind: 'accepted' })
})

test('[PM-40] type 4: any other short message is a text', () => {
  expect(readFrameMessage(message('DECLINED (005)'), FRAME)).toEqual({ kind: 'refused', text: 'DECLINED (005)' })
  expect(readFrameMessage(message('0001'), FRAME)).toEqual({ kind: 'refused', text: '0001' })
})

test.each([
  ['of another window', message('000', 'null', OTHER)],
  ['of no window', message('000', 'null', null)],
  ['of another origin', message('000', 'https://evil.example')],
  ['of our own origin', message('000', 'https://portal.example')],
  ['that is no text', message({ code: '000' })],
  ['that is too long', message('x'.repeat(65))],
  ['that is empty', message(' ')],
])('[PM-40] type 4: a message %s counts for nothing', (_name, event) => {
  expect(readFrameMessage(event, FRAME)).toBeNull()
  expect(readFrameMessage(event, { ...FRAME, window: null })).toBeNull()
})

test('[PM-40] type 4: the frame’s page says how high it is, and is believed within reason', () => {
  expect(readFrameMessage(message({ height: 411.3 }, 'https://pay.example'), FRAME)).toEqual({ kind: 'height', height: 412 })
  expect(readFrameMessage(message({ height: 90_000 }, 'https://pay.example'), FRAME)).toEqual({ kind: 'height', height: 3_000 })
  for (const height of [-5, 0, Number.NaN, '400']) expect(readFrameMessage(message({ height }, 'https://pay.example'), FRAME)).toBeNull()
})

test('[SP-04] type 4: our own return page alone says where the receipt goes', () => {
  const note = { receiptEmail: 'ada@payer.example' }
  expect(readFrameMessage(message(note), FRAME)).toEqual({ kind: 'receipt', email: 'ada@payer.example' })
  expect(readFrameMessage(message(note, 'https://pay.example'), FRAME)).toBeNull()
  expect(readFrameMessage(message({ receiptEmail: 'a'.repeat(255) }), FRAME)).toBeNull()
  expect(readFrameMessage(message({ receiptEmail: 5 }), FRAME)).toBeNull()
})
