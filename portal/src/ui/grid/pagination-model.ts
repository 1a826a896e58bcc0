export type PageSlot = number | 'gap'

const NEIGHBOURS = 2

/**
 * What stands between the arrows: the first page, two neighbours either side of the current one, the last,
 * and a gap wherever at least two pages are left out (a single one takes no more room than the gap).
 *
 * @param current  1-based
 * Source: portal.md §2, Generic grid.
 */
export const pageSlots = (current: number, count: number): readonly PageSlot[] => {
  const visible = pages(count).filter((page) => page === 1 || page === count || Math.abs(page - current) <= NEIGHBOURS)
  return visible.flatMap((page, i): PageSlot[] => {
    const skipped = page - (visible[i - 1] ?? 0) - 1
    if (skipped === 0) return [page]
    return skipped === 1 ? [page - 1, page] : ['gap', page]
  })
}

/** How many pages the rows fill; at least one. */
export const pageCount = (rows: number, pageSize: number): number => Math.max(1, Math.ceil(rows / pageSize))

const pages = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
