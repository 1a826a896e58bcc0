export type PageSlot = number | 'gap'

const NEIGHBOURS = 2

/**
 * The page buttons: the first page, the current one with two neighbours on each side, the last,
 * and a gap where at least two pages are left out.
 *
 * @param current  1-based
 */
export const pageSlots = (current: number, count: number): readonly PageSlot[] => {
  const visible = pages(count).filter((page) => page === 1 || page === count || Math.abs(page - current) <= NEIGHBOURS)
  return visible.flatMap((page, i): PageSlot[] => {
    const skipped = page - (visible[i - 1] ?? 0) - 1
    if (skipped === 0) return [page]
    return skipped === 1 ? [page - 1, page] : ['gap', page]
  })
}

/** The number of pages; at least 1. */
export const pageCount = (rows: number, pageSize: number): number => Math.max(1, Math.ceil(rows / pageSize))

/** All page numbers, from 1. */
const pages = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
