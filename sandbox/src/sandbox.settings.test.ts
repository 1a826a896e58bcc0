import { expect, test } from 'vitest'
import { settingsFrom } from './sandbox.settings.ts'

const HOOK = { SANDBOX_STRIPE_WEBHOOK: 'http://localhost:3000/{account}', SANDBOX_STRIPE_WEBHOOK_SECRET: 'whsec_x' }

test('whom Stripe tells of everything is set by an address and a secret', () => {
  expect(settingsFrom(HOOK).stripeListener).toEqual({ url: 'http://localhost:3000/{account}', secret: 'whsec_x' })
  expect(settingsFrom({}).stripeListener).toBeUndefined()
})

test('an address that is none, or one without a secret, is refused in words', () => {
  expect(() => settingsFrom({ ...HOOK, SANDBOX_STRIPE_WEBHOOK: 'ftp://x' })).toThrow(/must be an http or https address, not "ftp:/)
  expect(() => settingsFrom({ ...HOOK, SANDBOX_STRIPE_WEBHOOK_SECRET: '' })).toThrow(/needs SANDBOX_STRIPE_WEBHOOK_SECRET/)
})
