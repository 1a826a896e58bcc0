import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables/tables.ts'

/** Rows for a table; all of one list have the same columns. */
export type Rows<T extends keyof Tables> = Insertable<Tables[T]>[]

/** Lets one server seed at a time: a second waits here until the first has committed. */
export const lockSeeding = async (db: Db): Promise<void> => {
  await sql`set local lock_timeout = '5min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil demo world'))`.execute(db)
}

/** True when the reseller exists. As counterfoil_system. */
export const hasReseller = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('reseller').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

const BATCH_ROWS = 2000

/** Inserts rows in statements of at most BATCH_ROWS. Missing columns take their defaults. */
export const insertRows = async <T extends keyof Tables>(db: Db, table: T, rows: Rows<T>): Promise<void> => {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS)
    const columns = sql.join(Object.keys(batch[0] ?? {}).map((column) => sql.ref(column)))
    await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)})`.execute(db)
  }
}

/** Inserts a brand's pictures, given as SVG texts. */
export const insertPictures = async (
  db: Db,
  brandId: number,
  pictures: Readonly<Record<'logo' | 'banner' | 'icon', string>>,
): Promise<void> => {
  const row = (kind: keyof typeof pictures) => ({
    brand_id: brandId,
    kind,
    content_type: 'image/svg+xml',
    bytes: Buffer.from(pictures[kind]),
  })
  await db
    .insertInto('brand_image')
    .values([row('logo'), row('banner'), row('icon')])
    .execute()
}

/** Moves the identity sequences past the highest seeded ids. As the schema's owner. */
export const advanceSequences = async (db: Db, highestIds: ReadonlyMap<string, number>): Promise<void> => {
  for (const [table, id] of highestIds) {
    await sql`
      select setval(s, greatest(coalesce(pg_sequence_last_value(s), 1), ${id}::bigint))
      from (select pg_get_serial_sequence(${table}, 'id')::regclass as s) as sequence`.execute(db)
  }
}

/** The API's base URL of the account that a reseller uses at the provider; undefined when it uses none. */
export const findAccountBaseUrl = async (db: Db, resellerId: number, provider: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('payment_account')
      .select('base_url')
      .where('reseller_id', '=', resellerId)
      .where('provider', '=', provider)
      .where('replaced_at', 'is', null)
      .executeTakeFirst()
  )?.base_url

/** Stores the key that stands in a reseller's web pages. */
export const setPublishableKey = async (db: Db, resellerId: number, publishableKey: string): Promise<void> => {
  await db.updateTable('reseller').set({ publishable_key: publishableKey }).where('id', '=', resellerId).execute()
}
