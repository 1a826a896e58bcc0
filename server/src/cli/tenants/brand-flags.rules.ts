import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'

/** What a brand shows its customers: the word on the command line and the column. */
export const FLAGS = {
  dashboard: 'end_show_dashboard',
  invoices: 'end_show_invoices',
  transactions: 'end_show_transactions',
  usage: 'end_show_usage',
  reports: 'end_show_reports',
  'cost-centre': 'end_show_cost_centre',
  'service-items': 'end_show_service_item',
  'opening-balance': 'end_show_opening_balance',
  'usage-cost-centre': 'end_show_usage_cost_centre',
  'extra-field1': 'end_portal_transactions_extra_tab1',
  'extra-field2': 'end_portal_transactions_extra_tab2',
  'extra-field3': 'end_portal_transactions_extra_tab3',
  'extra-field4': 'end_portal_transactions_extra_tab4',
  'extra-field5': 'end_portal_transactions_extra_tab5',
} as const

/** Gives `value` to the column of each flag that the comma-separated lists name. @throws OperatorError for an unknown flag */
export const parseFlags = (option: string, lists: readonly string[], value: boolean): Record<string, boolean> => {
  const words = lists.flatMap((list) => list.split(',')).map((word) => word.trim().toLowerCase())
  return Object.fromEntries(
    words.map((word) => {
      const column = Object.entries(FLAGS).find(([name]) => name === word)?.[1]
      if (column === undefined)
        throw new OperatorError(`--${option}: ${quoteValue(word)} is no flag; there are ${Object.keys(FLAGS).join(', ')}.`)
      return [column, value]
    }),
  )
}
