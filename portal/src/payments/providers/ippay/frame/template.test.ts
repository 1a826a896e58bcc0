import { expect, test } from 'vitest'
import { frameUrlIn } from './template.ts'

const OURS = 'https://portal.example'
const templateOf = (src: string): string =>
  `<!doctype html><html><body><iframe title="Payment details" src="${src}"></iframe></body></html>`

test('[PM-40] type 4: of a template the address of the frame is used alone', () => {
  const template = `${templateOf('https://pay.example/hosted/?a=1&amp;b=%22&#39;&quot;')}<script>alert(1)</script>`
  expect(frameUrlIn(template, OURS)).toBe('https://pay.example/hosted/?a=1&b=%22%27%22')
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'https://portal.example/settings', '', '/payment-return/x'])(
  '[PM-40] type 4: a frame of %s is not shown',
  (src) => {
    expect(() => frameUrlIn(templateOf(src), OURS)).toThrow()
  },
)

test('[PM-40] type 4: a template without a frame is none', () => {
  expect(() => frameUrlIn('<html></html>', OURS)).toThrow()
})
