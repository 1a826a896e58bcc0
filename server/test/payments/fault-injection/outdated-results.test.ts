import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import { lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { type Attempt, findAttempt } from '../../../src/payments/engine/settle.queries.ts'
import { settleAttempt } from '../../../src/payments/engine/settle.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { type PaymentsDeps, transactAsReseller } from '../../../src/payments/payments-deps.ts'
import { refundPayment } from '../../../src/payments/reconciliation/refund.ts'
import { type PausableCall, PausedProvider } from '../paused-provider.ts'
import { ServerProcess } from './crashing-server.ts'
import { FakeProvider } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, openFaultContext } from './fault-context.ts'
import { insertPaymentSetup, readInvoices } from './ledger.queries.ts'
import { chargeIntentOn, FIRST_SUBMIT } from './single-payment.ts'

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())
