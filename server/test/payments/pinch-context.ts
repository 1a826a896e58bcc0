import type { TestSandbox } from './sandbox.ts'

/** The publishable key of an account at the sandbox's Pinch. */
export const pinchKey = (applicationId: string): string => `pk_test_${applicationId}`

/** The settings of an account at the sandbox's Pinch. */
export const pinchSettings = (applicationId: string, webhookSecret: string) => ({
  applicationId,
  secretKey: 'sk_test_conformance',
  mode: 'test' as const,
  webhookSecrets: [webhookSecret],
})

const CARD = { CardNumber: '4242424242424242', Cvc: '123', ExpiryMonth: '12', ExpiryYear: '2060', CardHolderName: 'Ada Payer' }
const ACCOUNT = { BankAccountName: 'Ada Payer', BankAccountRouting: '000-001', BankAccountNumber: '1234567890' }

const tokenize = async (sandbox: TestSandbox, fields: object): Promise<string> => {
  const response = await fetch(`${sandbox.url}/pinch/test/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

/** Enters a card as the portal's page does; its token. */
export const pinchCardToken = (sandbox: TestSandbox, applicationId: string, more: object = {}): Promise<string> =>
  tokenize(sandbox, { PublishableKey: pinchKey(applicationId), ...CARD, ...more })

/** The same for a bank account. */
export const pinchAccountToken = (sandbox: TestSandbox, applicationId: string, more: object = {}): Promise<string> =>
  tokenize(sandbox, { PublishableKey: pinchKey(applicationId), SourceType: 'bank-account', ...ACCOUNT, ...more })

/** Settles a debit or a refund at the sandbox's bank; the HTTP status. */
export const settleAtPinch = async (sandbox: TestSandbox, id: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<number> => {
  const body = JSON.stringify({ provider: 'pinch', id, outcome })
  return (await fetch(`${sandbox.url}/settle`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
}
