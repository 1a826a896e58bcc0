import type { usage } from '@counterfoil/contract/usage'
import type { RawRow } from '../../db/statement-batch.ts'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import { JsonText } from '../../http/json-text.ts'
import { toInstant } from '../../kit/instant-text.ts'

/** Names as JSON, by the id of what they name. */
export interface RecordNames {
  /** `"serviceItemName":…,"serviceItemDescription":…` of each service item. */
  readonly items: ReadonlyMap<string, string>
  /** `"…"` of each record type. */
  readonly types: ReadonlyMap<string, string>
}

/** Where the columns of a record stand in a row; the order of RECORD_COLUMNS in usage-rows.queries.ts. */
export const ITEM_COLUMN = 1
export const TYPE_COLUMN = 2
const FIRST_TEXT_COLUMN = 6

/** The JSON keys of the plain texts, and where these stand in a row. */
const TEXTS = USAGE_TEXTS.map(({ field }, nth) => ({ key: `,"${field}":`, column: FIRST_TEXT_COLUMN + nth }))

const NO_ITEM = '"serviceItemName":null,"serviceItemDescription":null'

/** A service item's two fields (name and description) as JSON text inside a record, without braces. */
export const itemJson = (name: string | null, description: string | null): string =>
  `"serviceItemName":${textJson(name)},"serviceItemDescription":${textJson(description)}`

/** A text as JSON; `null` without one. */
export const textJson = (text: string | null | undefined): string => (text === null || text === undefined ? 'null' : JSON.stringify(text))

/**
 * A page of usage as JSON text, made from PostgreSQL's text without objects between: pages are read more often than anything else. A test
 * holds it equal to what the schema's serializer writes.
 */
export const usagePageJson = (rows: readonly RawRow[], names: RecordNames, total: number): JsonText<typeof usage.list> =>
  new JsonText(`{"endUsageDetails":[${rows.map((row) => recordJson(row, names)).join(',')}],"totalCount":${total}}`)

/** A record as JSON text, with the names of its item and type looked up by id. */
const recordJson = (row: RawRow, { items, types }: RecordNames): string => {
  const [usageAt, itemId, typeId, costCentre, units, price] = row
  let json = `{"date":"${toInstant(usageAt ?? '')}",${items.get(itemId ?? '') ?? NO_ITEM}`
  for (const { key, column } of TEXTS) json += key + textJson(row[column])
  return (
    `${json},"units":${Number(units)},"price":${Number(price)},` +
    `"recordType":${types.get(typeId ?? '') ?? '""'},"costCentre":${textJson(costCentre)}}`
  )
}
