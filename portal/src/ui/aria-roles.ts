/**
 * Explicit ARIA roles of a table. Safari drops the implicit ones when CSS lays a table out as cards, as on a phone.
 */
export const TABLE_ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** Roles of an SVG drawing whose parts can be focused one by one. */
export const DRAWING_ROLES = { group: { role: 'group' }, item: { role: 'img' }, button: { role: 'button' } } as const
