import { inject } from 'vitest'
import { type TestContext, testContext } from '../../support/test-app.ts'
import { addTenant } from '../../support/people.ts'
import { isFull } from '../../databases/full-run.ts'
import { mintScope, type CustomerScope } from '../../../src/session/scope.ts'
import { truncatePayments } from './ledger.queries.ts'
import { openFastStore } from './fast-store.ts'
import { ServerProcess } from './crashing-server.ts'
import { FakeProvider } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import { useAccount } from '../fault-matrix/misfortunes.ts'

/** Truncating costs as much as half a case, so it is done rarely. */
const CASES_BETWEEN_CLEAN_UPS = 100

export interface FaultContext {
  readonly context: TestContext
  readonly payer: CustomerScope
  /** Called after each case. Rows of a failed case must not be seen by the next. */
  cleanUp(isWrong?: boolean): Promise<void>
}

/** Opens a context whose one customer pays at the fake provider, on the fast store where the database is embedded. */
export const openFaultContext = async (): Promise<FaultContext> => {
  const given = inject('testDatabase')
  const shareRuns = given.kind === 'embedded' ? await openFastStore(given.snapshot, console.error) : null
  const baseContext = await testContext({}, shareRuns === null ? {} : { store: shareRuns.store })
  // Nobody waits for an attempt in flight: it is either settled, or its server has crashed.
  const context = { ...baseContext, config: { ...baseContext.config, paymentTimeoutMs: 0 } }
  const { resellerId, customerId } = await addTenant(context, {
    reseller: { payment_type: 10, payments_enabled: true, payments_bulk: true },
  })
  await connectFakeProvider(context, resellerId)
  let cases = 0
  return {
    context,
    payer: mintScope({ resellerId, customerId }),
    cleanUp: async (isWrong = false) => {
      cases += 1
      if (!isWrong && cases % CASES_BETWEEN_CLEAN_UPS > 0) return
      await context.store.transact({ role: 'owner' }, truncatePayments)
      await shareRuns?.checkpoint()
    },
  }
}

/** Connects a reseller to the fake provider. */
const connectFakeProvider = async (context: TestContext, resellerId: number): Promise<void> => {
  const faultCase: FaultCase = {
    provider: 'ok',
    client: 'once',
    webhooks: 'lost',
    shape: 'two steps',
    meanwhile: 'nothing else',
    crash: null,
  }
  const provider = new FakeProvider(faultCase, context.clock)
  await useAccount({ ...context, providers: () => provider.provider(new ServerProcess(null)), onMailQueued: () => undefined }, resellerId)
}

/** How many cases a generated suite runs: as many as `npm run test:faults` says, else a share, which `npm run test:full` takes larger. */
export const runCount = (shareRuns: number, fullRuns = shareRuns): number =>
  Number(process.env['FAULTS_RUNS'] ?? (isFull ? fullRuns : shareRuns))
