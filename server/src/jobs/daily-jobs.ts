import type { PaymentsDeps } from '../payments/payments-deps.ts'
import { reconcileAll } from '../payments/reconciliation/reconcile.ts'
import type { DailyJob } from './run-daily-job.ts'

/** The jobs that run once a day. */
export const dailyJobs = (deps: PaymentsDeps): readonly DailyJob[] => [
  { name: 'reconcile-payments', notBefore: '03:43', run: () => reconcileAll(deps) },
]
