/**
 * The roles of a table, written out. Safari forgets them for a table that CSS lays out as cards;
 * said in full, a screen reader keeps rows, headers and cells on a phone too.
 */
export const TABLE_ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** A drawing whose parts can be reached one by one; SVG has no elements of its own that say so. */
export const DRAWING_ROLES = { group: { role: 'group' }, item: { role: 'img' } } as const
