import { inject } from 'vitest'
import { type TestContext, testContext } from '../../support/test-app.ts'
import { addTenant } from '../../support/people.ts'
import type { CustomerKey } from '../../../src/payments/payments-deps.ts'
import { forgetPayments } from './ledger.queries.ts'
import { quickStore } from './fast-store.ts'
import { connectCompany } from './run-case.ts'

/** So many cases leave their rows before they are taken away: it costs as much as half a case. */
const CASES_BETWEEN_SWEEPS = 100

export interface FaultContext {
  readonly context: TestContext
  readonly payer: CustomerKey
  /** Told after each case. What a case has left wrong must not be looked at by the next. */
  swept(isWrong?: boolean): Promise<void>
}

/** A house whose one customer pays at the bench's company, on the quick store where the database is the embedded one. */
export const faultContext = async (): Promise<FaultContext> => {
  const given = inject('testDatabase')
  const quick = given.kind === 'embedded' ? await quickStore(given.snapshot, console.error) : null
  const opened = await testContext({}, quick === null ? {} : { store: quick.store })
  // Nobody waits for an attempt that is on its way: here it is either over, or its server is dead.
  const context = { ...opened, config: { ...opened.config, paymentTimeoutMs: 0 } }
  const { resellerId, customerId } = await addTenant(context, {
    reseller: { payment_type: 10, payments_enabled: true, payments_bulk: true },
  })
  await connectCompany(context, resellerId)
  let cases = 0
  return {
    context,
    payer: { resellerId, customerId },
    swept: async (isWrong = false) => {
      cases += 1
      if (!isWrong && cases % CASES_BETWEEN_SWEEPS > 0) return
      await context.store.transact({ role: 'owner' }, forgetPayments)
      await quick?.checkpoint()
    },
  }
}

/** How many cases a generated suite runs: as many as `npm run test:faults` says, else a quick share. */
export const runsOf = (quick: number): number => Number(process.env['FAULTS_RUNS'] ?? quick)
