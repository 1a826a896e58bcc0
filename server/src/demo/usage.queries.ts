import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { UsageRecords } from '../usage-store/count-usage.queries.ts'

/** Usage records of one customer, column by column; the n-th entries of all columns make one record. */
export interface UsageBatch {
  readonly resellerId: number
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

/** Inserts a batch in one statement. Service, site and cost centre are those of the connection. Who calls it counts the records. */
export const insertUsage = async (db: Db, batch: UsageBatch): Promise<void> => {
  await sql`
    insert into usage_record (reseller_id, customer_id, id, usage_at, service_id, record_type_id, agreement_id, service_item_id,
                              service_item2, service_item3, site, cost_centre, units, price)
    select ${batch.resellerId}, item.customer_id, ${batch.firstId}::bigint + r.nth - 1, to_timestamp(r.seconds), item.service_id, r.record_type_id,
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

/** All records of a customer. */
export const usageOfCustomer = ({ resellerId, customerId }: Pick<UsageBatch, 'resellerId' | 'customerId'>): UsageRecords => ({
  with: sql``,
  where: sql<boolean>`u.reseller_id = ${resellerId} and u.customer_id = ${customerId}`,
})
