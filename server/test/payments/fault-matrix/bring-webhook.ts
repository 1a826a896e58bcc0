import { ApiError } from '../../../src/kit/api-error.ts'
import type { PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import { receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { type FakeWebhook, FORGED_SECRET } from '../fault-injection/fake-payment.ts'

/**
 * Brings a webhook to a server.
 * @returns whether the provider need not bring it again: it was taken, or refused because it is forged
 * @throws Error when a true one is refused or a forged one taken
 */
export const isAnswered = async (payments: PaymentsDeps, resellerId: number, { raw, signature }: FakeWebhook): Promise<boolean> => {
  const isForged = signature === FORGED_SECRET
  try {
    await receiveWebhook(payments, { provider: 'bpoint', resellerId }, { headers: { signature }, raw })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_signature') throw error
    if (!isForged) throw new Error('a true webhook was refused', { cause: error })
    return true
  }
  if (isForged) throw new Error('a forged webhook was taken')
  return true
}
