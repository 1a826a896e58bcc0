import { expect, test } from 'vitest'
import { settingsFrom } from './sandbox.settings.ts'

const WEBHOOK_ENV = { SANDBOX_STRIPE_WEBHOOK: 'http://localhost:3000/{account}', SANDBOX_STRIPE_WEBHOOK_SECRET: 'whsec_x' }

test('a provider’s webhook for all accounts needs a URL and a secret', () => {
  expect(settingsFrom(WEBHOOK_ENV).webhooks?.stripe).toEqual({ url: 'http://localhost:3000/{account}', secret: 'whsec_x' })
  const url = 'http://localhost:3000'
  const env = {
    SANDBOX_AUTHORIZE_WEBHOOK: url,
    SANDBOX_AUTHORIZE_WEBHOOK_KEY: 'A',
    SANDBOX_NEXIO_WEBHOOK: url,
    SANDBOX_NEXIO_WEBHOOK_SECRET: 'N',
    SANDBOX_PINCH_WEBHOOK: url,
    SANDBOX_PINCH_WEBHOOK_SECRET: 'P',
  }
  expect(settingsFrom(env).webhooks).toMatchObject({
    authorize: { url, secret: 'A' },
    nexio: { url, secret: 'N' },
    pinch: { url, secret: 'P' },
  })
  expect(settingsFrom({}).webhooks?.stripe).toBeUndefined()
})

test('an invalid webhook URL, or one without a secret, is rejected', () => {
  expect(() => settingsFrom({ ...WEBHOOK_ENV, SANDBOX_STRIPE_WEBHOOK: 'ftp://x' })).toThrow(/must be an http or https address, not "ftp:/)
  expect(() => settingsFrom({ ...WEBHOOK_ENV, SANDBOX_STRIPE_WEBHOOK_SECRET: '' })).toThrow(/needs SANDBOX_STRIPE_WEBHOOK_SECRET/)
})
