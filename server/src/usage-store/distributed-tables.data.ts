/** The tables of usage, which an installation on several machines distributes by customer. Everything else stays on one. */
export const DISTRIBUTED_TABLES = [
  'usage_record',
  'usage_delta',
  'usage_version',
  'usage_day_merged',
  'usage_day_kind_merged',
  'usage_month_kind_merged',
  'usage_month_cost_centre_merged',
] as const

/** The views over them. */
export const DISTRIBUTED_VIEWS = [
  'usage_day',
  'usage_day_kind',
  'usage_month_kind',
  'usage_month_cost_centre',
  'usage_day_part',
  'usage_daily_category_delta',
  'usage_month_kind_part',
  'usage_month_cost_centre_part',
] as const
