import { LRUCache } from 'lru-cache'
import type { RawRow } from '../../db/statement-batch.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { ITEM_COLUMN, itemJson, type RecordNames, textJson, TYPE_COLUMN } from './usage-json.rules.ts'
import { itemNames, namesVersion, typeNames } from './usage-names.queries.ts'

/** Keeps the names in usage records between pages, so that a page joins nothing. */
export interface UsageNames {
  /**
   * The names in these rows, as they are in the database or newer.
   * @param version what namesVersion said with the rows
   */
  load(request: CustomerRequestContext, version: string, rows: readonly RawRow[]): Promise<RecordNames>
}

interface CustomerNames extends RecordNames {
  readonly version: string
  readonly items: Map<string, string>
  readonly types: Map<string, string>
}

/** Some 40 MB. */
const MAX_NAMES = 250_000

/** Makes the cache of names, in this process's memory, by customer. */
export const usageNames = (): UsageNames => {
  const cache = new LRUCache<number, CustomerNames>({
    maxSize: MAX_NAMES,
    sizeCalculation: ({ items, types }) => 1 + items.size + types.size,
  })
  return {
    load: async (request, version, rows) => {
      const { customerId } = request.scope
      const cached = cache.get(customerId)
      if (cached?.version === version && hasNames(cached, rows)) return cached
      const names = await readNames(request, rows, cached)
      cache.set(customerId, names)
      return names
    },
  }
}

/** Whether all names of these rows are known. */
const hasNames = ({ items, types }: RecordNames, rows: readonly RawRow[]): boolean =>
  rows.every(({ [ITEM_COLUMN]: item, [TYPE_COLUMN]: type }) => (item === null || items.has(item ?? '')) && types.has(type ?? ''))

/**
 * Reads the names of these rows and adds them to the cached ones, where those are of the same version. The version is read before the
 * names: names that change in between are newer than their version, and are read once more.
 */
const readNames = async (
  { scope, readRaw }: CustomerRequestContext,
  rows: readonly RawRow[],
  cached: CustomerNames | undefined,
): Promise<CustomerNames> => {
  const [itemIds, typeIds] = [idsIn(rows, ITEM_COLUMN), idsIn(rows, TYPE_COLUMN)]
  const [versionRows, itemRows = [], typeRows = []] = await readRaw(
    [namesVersion(scope), itemNames(scope, itemIds), typeNames(scope, typeIds)],
    { usage: 'replica' },
  )
  const version = versionRows?.[0]?.[0] ?? ''
  const isCurrent = cached?.version === version
  const names = { version, items: new Map(isCurrent ? cached.items : []), types: new Map(isCurrent ? cached.types : []) }
  for (const id of itemIds) names.items.set(id, itemJson(null, null)) // an item that does not exist is known too
  for (const [id, name = null, description = null] of itemRows) names.items.set(id ?? '', itemJson(name, description))
  for (const [id, name] of typeRows) names.types.set(id ?? '', textJson(name))
  return names
}

/** The ids in a column of the rows, each once, without nulls. */
const idsIn = (rows: readonly RawRow[], column: number): string[] => [
  ...new Set(rows.map((row) => row[column]).filter((id) => typeof id === 'string')),
]
