import type { Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ExtraFieldLabelTable } from '../../db/tables/billing.ts'

/** The extra fields of transactions have type 3 (TXN-03). */
const TRANSACTION_FIELDS_TYPE_ID = 3

/** The reseller's names of the extra fields of transactions; null where it has none. As counterfoil_reseller. */
export const readExtraLabels = async (db: Db, resellerId: number) => {
  const row = await db
    .selectFrom('extra_field_label')
    .select(['extra_field1', 'extra_field2', 'extra_field3', 'extra_field4', 'extra_field5'])
    .where('reseller_id', '=', resellerId)
    .where('extra_field_type_id', '=', TRANSACTION_FIELDS_TYPE_ID)
    .executeTakeFirst()
  return {
    extraField1: row?.extra_field1 ?? null,
    extraField2: row?.extra_field2 ?? null,
    extraField3: row?.extra_field3 ?? null,
    extraField4: row?.extra_field4 ?? null,
    extraField5: row?.extra_field5 ?? null,
  }
}

/** Inserts or changes these labels of the extra fields of transactions; others stay. As counterfoil_reseller. */
export const saveExtraLabels = async (db: Db, resellerId: number, labels: Updateable<ExtraFieldLabelTable>): Promise<void> => {
  await db
    .insertInto('extra_field_label')
    .values({ ...labels, reseller_id: resellerId, extra_field_type_id: TRANSACTION_FIELDS_TYPE_ID })
    .onConflict((conflict) => conflict.columns(['reseller_id', 'extra_field_type_id']).doUpdateSet(labels))
    .execute()
}

/** Whether a report is offered, by report id. Only reports about which the reseller has said so. As counterfoil_reseller. */
export const reportSettings = async (db: Db, resellerId: number): Promise<Map<number, boolean>> => {
  const rows = await db.selectFrom('reseller_report').select(['report_id', 'offered']).where('reseller_id', '=', resellerId).execute()
  return new Map(rows.map(({ report_id: id, offered: isOffered }) => [id, isOffered]))
}

/** Inserts or changes whether the reseller's customers are offered a report. As counterfoil_reseller. */
export const saveReportSetting = async (db: Db, resellerId: number, reportId: number, isOffered: boolean): Promise<void> => {
  await db
    .insertInto('reseller_report')
    .values({ reseller_id: resellerId, report_id: reportId, offered: isOffered })
    .onConflict((conflict) => conflict.columns(['reseller_id', 'report_id']).doUpdateSet({ offered: isOffered }))
    .execute()
}
