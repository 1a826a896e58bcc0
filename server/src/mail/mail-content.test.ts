import { expect, test } from 'vitest'
import { toHtml, toText } from './mail-content.ts'

const CONTENT = {
  subject: 'Choose <one>',
  greeting: 'Hello Zoë & "Max",',
  intro: ['First.'],
  action: { label: 'Go', address: 'https://portal.nimbus.net/reset-password/abc' },
  closing: ['Last.'],
}
const SENDER = { name: '<b>Nimbus</b>', lines: ['Nimbus & Sons Ltd', 'help@nimbus.net'], colour2: '#ffe14d', colour3: '#eeeeee' }

test('[AUTH-08] the plain text has the full content, with the address on its own line', () => {
  expect(toText(CONTENT, SENDER)).toBe(
    [
      'Hello Zoë & "Max",',
      'First.',
      'Go:\nhttps://portal.nimbus.net/reset-password/abc',
      'Last.',
      '-- \nNimbus & Sons Ltd\nhelp@nimbus.net',
    ].join('\n\n'),
  )
})

test('[AUTH-08] names stand in the HTML as text, whatever letters they have', () => {
  const html = toHtml(CONTENT, SENDER)
  for (const text of ['Choose &lt;one&gt;', 'Zoë &amp; &quot;Max&quot;', '&lt;b&gt;Nimbus&lt;/b&gt;', 'Nimbus &amp; Sons Ltd'])
    expect(html).toContain(text)
  expect(html).not.toContain('<b>')
})

test('[AUTH-08] colours of a brand that nobody could read on white are darkened, and nothing is loaded from elsewhere', () => {
  const html = toHtml(CONTENT, SENDER)
  expect(html).not.toContain('#ffe14d')
  expect(html).not.toContain('#eeeeee')
  expect(html).not.toMatch(/src=|url\(|@import/)
})
