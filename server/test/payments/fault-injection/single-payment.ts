import { randomUUID } from 'node:crypto'
import { addMs } from '../../../src/kit/clock.ts'
import { findAccount } from '../../../src/payments/accounts/accounts.ts'
import { chargeIntent } from '../../../src/payments/engine/charge.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { Attempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { createSubmission } from '../../../src/payments/attempts/submission.ts'
import { insertPaymentSetup } from './ledger.queries.ts'
import { SECRET } from './fake-payment.ts'
import { FakeProvider } from './fake-provider.ts'
import { ServerProcess } from './crashing-server.ts'
import type { FaultCase } from './fault-cases.ts'
import type { FaultContext } from './fault-context.ts'

const DAY = 86_400_000

/** Payments on a server that never crashes, with this provider. */
export const paymentsWith = ({ context }: FaultContext, fake: FakeProvider): PaymentsDeps => {
  const provider = fake.provider(new ServerProcess(null))
  return { ...context, providers: () => provider, onMailQueued: () => undefined }
}

/** An invoice, an intent for it, and a provider that behaves as given and sends no webhooks. */
export const preparePayment = async (bench: FaultContext, behaviour: FaultCase['provider'], shape: FaultCase['shape'] = 'two steps') => {
  const { context, payer } = bench
  const faultCase: FaultCase = { provider: behaviour, client: 'once', webhooks: 'lost', shape, meanwhile: 'nothing else', crash: null }
  const provider = new FakeProvider(faultCase, context.clock)
  const payments = paymentsWith(bench, provider)
  const id = randomUUID()
  const now = context.clock()
  const payment = { payer, invoiceNumbers: [`ONE-${id}`], minor: 11_000, intents: [{ id, invoices: [0] }], now, expiresAt: addMs(now, DAY) }
  const invoiceIds = await transactAsReseller(payments, payer.resellerId, (db) => insertPaymentSetup(db, payment))
  return { faultCase, provider, payments, intentIds: [id], invoiceIds }
}

/** One submission: its key, and its card or account. */
export interface Submit {
  readonly key: string
  readonly token: string
}
export const FIRST_SUBMIT: Submit = { key: 'a submission', token: 'a stored method' }
/** The answer was lost, and the payer tries another card. */
export const SUBMIT_WITH_ANOTHER_CARD: Submit = { ...FIRST_SUBMIT, token: 'another stored method' }

/** Pays an intent with a stored card or debit. */
export const chargeIntentOn = async (
  payments: PaymentsDeps,
  { payer }: FaultContext,
  { intentId, submit, isDebit }: { intentId: string; submit: Submit; isDebit: boolean },
): Promise<Attempt> => {
  const account = await findAccount(payments, payer.resellerId)
  if (account === null) throw new Error('the provider is not connected')
  return chargeIntent(payments, account, payer, {
    intentId,
    source: { method: { token: submit.token, kind: 'card', details: {} } },
    methodId: null,
    methodType: 'card',
    isDebit,
    submission: createSubmission(payments.keys, intentId, submit.key, submit.token),
    receiptEmail: null,
    shownMinor: null,
    returnUrl: (attemptId) => `https://portal.example/${attemptId}`,
    client: null,
  })
}

/** A webhook with a valid signature. */
export const signedWebhook = (attemptId: string, eventId: string, kind: string): { headers: Record<string, string>; raw: string } => ({
  headers: { signature: SECRET },
  raw: JSON.stringify({ eventId: `${attemptId} ${eventId}`, kind, about: 'payment', merchantReference: attemptId }),
})
