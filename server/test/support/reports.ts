import { sql } from 'kysely'
import type { AppContext } from '../../src/context.ts'
import { addMs } from '../../src/kit/clock.ts'

interface QueuedReports {
  readonly resellerId: number
  readonly brandId: number
  readonly customerId: number
  readonly count: number
}

/** Queues this many Usage by Service reports of a customer, a millisecond apart. */
export const queueReports = async (
  context: Pick<AppContext, 'store' | 'clock'>,
  { resellerId, brandId, customerId, count }: QueuedReports,
): Promise<void> => {
  const now = context.clock()
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    sql`insert into report_job (customer_id, id, reseller_id, brand_id, report_id, parameters, requested_at, expires_at)
      select ${customerId}, gen_random_uuid(), ${resellerId}, ${brandId}, 2, '{"days":null,"serviceId":null,"invoiceId":null}',
        ${now}::timestamptz + make_interval(secs => n / 1000.0), ${addMs(now, 86_400_000)} from generate_series(1, ${count}::integer) n`.execute(
      db,
    ),
  )
  await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    sql`insert into job (id, kind, key, created_at, run_at)
      select id, 'report', customer_id, requested_at, ${now} from report_job where customer_id = ${customerId} and status = 10
      on conflict (id) do nothing`.execute(db),
  )
}
