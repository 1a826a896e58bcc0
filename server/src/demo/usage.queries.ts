import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Usage records of one customer, column by column; the n-th entries of all columns make one record. */
export interface UsageBatch {
  readonly customerId: number
  /** The id of the first record; the others follow. */
  readonly firstId: number
  readonly seconds: readonly number[]
  readonly serviceItemIds: readonly number[]
  readonly agreementIds: readonly number[]
  readonly recordTypeIds: readonly number[]
  readonly unitsMilli: readonly number[]
  readonly priceMicros: readonly number[]
  /** Texts that records share, and the index (from 1; 0 is none) of each record's second and third identification. */
  readonly texts: readonly string[]
  readonly secondTexts: readonly number[]
  readonly thirdTexts: readonly number[]
}

/** The numbers as an array in SQL, written as one literal, which is much cheaper than a list of parameters. */
const bigints = (numbers: readonly number[]) => sql`${`{${numbers.join(',')}}`}::bigint[]`

/** Inserts a batch in one statement. Service, site and cost centre are those of the connection. */
export const insertUsage = async (db: Db, batch: UsageBatch): Promise<void> => {
  await sql`
    select ensure_usage_months((to_timestamp(min(at)) at time zone 'UTC')::date, (to_timestamp(max(at)) at time zone 'UTC')::date)
    from unnest(${bigints(batch.seconds)}) at having count(*) > 0`.execute(db)
  await sql`
    insert into usage_record (customer_id, id, usage_at, service_id, record_type_id, agreement_id, service_item_id,
                              service_item2, service_item3, site, cost_centre, units, price)
    select item.customer_id, ${batch.firstId}::bigint + r.nth - 1, to_timestamp(r.seconds), item.service_id, r.record_type_id,
           r.agreement_id, item.id, t.texts[r.second], t.texts[r.third], item.site, item.cost_centre,
           trim_scale(r.units_milli * 0.001), r.price_micros * 0.000001
    from unnest(${bigints(batch.seconds)}, ${bigints(batch.serviceItemIds)}, ${bigints(batch.agreementIds)},
                ${bigints(batch.recordTypeIds)}, ${bigints(batch.unitsMilli)}, ${bigints(batch.priceMicros)},
                ${bigints(batch.secondTexts)}, ${bigints(batch.thirdTexts)}) with ordinality
         as r (seconds, service_item_id, agreement_id, record_type_id, units_milli, price_micros, second, third, nth)
    join service_item as item on item.customer_id = ${batch.customerId} and item.id = r.service_item_id
    cross join (select ${[...batch.texts]}::text[] as texts) as t
    order by r.nth on conflict do nothing`.execute(db)
}
