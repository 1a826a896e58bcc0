import type { ColumnType } from 'kysely'
import type { NonNullColumn } from './columns.ts'

export interface ResellerReportTable {
  reseller_id: number
  report_id: number
  offered: boolean
}

export interface ReportJobTable {
  customer_id: number
  id: string
  reseller_id: number
  brand_id: number
  report_id: number
  parameters: ColumnType<object, string, string>
  requested_by: string | null
  requested_at: Date
  status: NonNullColumn<number>
  tries: NonNullColumn<number>
  finished_at: Date | null
  expires_at: Date
  path: string | null
  file_name: string | null
  content_type: string | null
  size_bytes: number | null
  by_support: NonNullColumn<boolean>
  failure: 'too_large' | 'gone' | null
  file_deleted: NonNullColumn<boolean>
}

export interface ReportChunkTable {
  customer_id: number
  job_id: string
  try: number
  n: number
  bytes: Buffer
}
