import { expect, test } from 'vitest'
import { settingsFrom } from './sandbox.settings.ts'

const WEBHOOK_ENV = { SANDBOX_STRIPE_WEBHOOK: 'http://localhost:3000/{account}', SANDBOX_STRIPE_WEBHOOK_SECRET: 'whsec_x' }

test('Stripe’s webhook for all accounts needs a URL and a secret', () => {
  expect(settingsFrom(WEBHOOK_ENV).stripeWebhook).toEqual({ url: 'http://localhost:3000/{account}', secret: 'whsec_x' })
  expect(settingsFrom({}).stripeWebhook).toBeUndefined()
})

test('an invalid webhook URL, or one without a secret, is rejected', () => {
  expect(() => settingsFrom({ ...WEBHOOK_ENV, SANDBOX_STRIPE_WEBHOOK: 'ftp://x' })).toThrow(/must be an http or https address, not "ftp:/)
  expect(() => settingsFrom({ ...WEBHOOK_ENV, SANDBOX_STRIPE_WEBHOOK_SECRET: '' })).toThrow(/needs SANDBOX_STRIPE_WEBHOOK_SECRET/)
})
