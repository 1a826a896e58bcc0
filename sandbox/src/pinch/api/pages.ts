import type { Fields } from './fields.ts'
import { wholeField } from './fields.ts'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 500

/** One page of a list, as the query asks for it, in the envelope of every list. */
export const toPage = (query: Fields, all: readonly object[]): object => {
  const page = wholeField(query, 'page') ?? 1
  const pageSize = Math.min(wholeField(query, 'pageSize') ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
  const data = all.slice((page - 1) * pageSize, page * pageSize)
  return { page, pageSize, totalPages: Math.max(1, Math.ceil(all.length / pageSize)), totalItems: all.length, data }
}
