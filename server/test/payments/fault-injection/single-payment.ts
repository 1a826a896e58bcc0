import { randomUUID } from 'node:crypto'
import { addMs } from '../../../src/kit/clock.ts'
import { findAccount } from '../../../src/payments/accounts/accounts.ts'
import { chargeIntent } from '../../../src/payments/engine/charge.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { Attempt } from '../../../src/payments/engine/settle.queries.ts'
import { createSubmission } from '../../../src/payments/engine/submission.ts'
import { beginPayment } from './ledger.queries.ts'
import { Company, SECRET } from './fake-provider.ts'
import { ServerProcess } from './crashing-server.ts'
import type { FaultCase } from './fault-cases.ts'
import type { FaultContext } from './fault-context.ts'

const DAY = 86_400_000

/** The payments' part of a server that nothing happens to, before this company. */
export const serverOf = ({ context }: FaultContext, company: Company): PaymentsDeps => {
  const provider = company.provider(new ServerProcess(null))
  return { ...context, providers: () => provider, onMailQueued: () => undefined }
}

/** An invoice, an intent for it, and a company that meets its payment in that way and says nothing by itself. */
export const onePayment = async (bench: FaultContext, behaviour: FaultCase['company']) => {
  const { context, payer } = bench
  const one: FaultCase = { company: behaviour, client: 'once', notices: 'lost', shape: 'two steps', crash: null }
  const company = new Company(one, context.clock)
  const payments = serverOf(bench, company)
  const id = randomUUID()
  const now = context.clock()
  const wish = { payer, invoiceNumbers: [`ONE-${id}`], minor: 11_000, intents: [{ id, invoices: [0] }], now, expiresAt: addMs(now, DAY) }
  const invoiceIds = await transactAsReseller(payments, payer.resellerId, (db) => beginPayment(db, wish))
  return { one, company, payments, intentIds: [id], invoiceIds }
}

/** A press on Pay: by which key, and with which card or account. */
export interface Press {
  readonly key: string
  readonly token: string
}
export const FIRST_PRESS: Press = { key: 'a wish', token: 'a stored method' }
/** The answer was lost, and the payer takes another card. */
export const WITH_ANOTHER_CARD: Press = { ...FIRST_PRESS, token: 'another stored method' }

/** Pays an intent by a stored card or debit, with a page to come back to. */
export const chargeOn = async (
  payments: PaymentsDeps,
  { payer }: FaultContext,
  { intentId, press, isDebit }: { intentId: string; press: Press; isDebit: boolean },
): Promise<Attempt> => {
  const account = await findAccount(payments, payer.resellerId)
  if (account === null) throw new Error('the company is not connected')
  return chargeIntent(payments, account, payer, {
    intentId,
    source: { token: press.token },
    methodId: null,
    methodType: 'card',
    isDebit,
    submission: createSubmission(payments.keys, intentId, press.key, press.token),
    receiptEmail: null,
    returnUrl: (attemptId) => `https://portal.example/${attemptId}`,
    client: null,
  })
}

/** A notice as the company signs it. */
export const noticeOf = (attemptId: string, eventId: string, kind: string): { headers: Record<string, string>; raw: string } => ({
  headers: { signature: SECRET },
  raw: JSON.stringify({ eventId: `${attemptId} ${eventId}`, kind, about: 'payment', attemptId }),
})
