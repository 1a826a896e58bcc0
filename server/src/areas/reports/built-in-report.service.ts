import type { Report } from '@counterfoil/contract/reports'
import type { Renderer } from '../../documents/renderer.ts'
import type { Transact } from '../../http/request-context.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { ReportParameters } from './report-parameters.rules.ts'

/** A report as the portal lists it, and how it is made. */
export interface BuiltInReport extends Report {
  /** @throws ReportImpossible when trying again would not help */
  generate(context: ReportContext): Promise<ReportContent>
}

/** What a report is made with. Everything that it reads, it reads as this customer alone. */
export interface ReportContext {
  readonly scope: CustomerScope
  readonly parameters: ReportParameters
  readonly now: Date
  readonly transact: Transact
  readonly renderer: Renderer
  /** The address that links in a document begin with, where the brand has no domain. */
  readonly publicUrl: string
  /** About so many usage records are summed in one statement. */
  readonly sliceRecords: number
}

export interface ReportContent {
  readonly fileName: string
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

/** Thrown where a report cannot be made, now or later. The reason is for the log. */
export class PermanentReportError extends Error {
  override readonly name = 'ReportImpossible'
}

export const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** `Invoice_Register_2026-11-01_2026-11-30.xlsx`: the report, what it is about, and only characters that every system takes. */
export const reportFileName = (parts: readonly string[], { days }: ReportParameters, extension: keyof typeof CONTENT_TYPES): string => {
  const nameParts = [...parts, ...(days === null ? [] : [days.from, days.to])]
  return `${nameParts.map((word) => word.replace(/[^\w.-]+/g, '_').slice(0, 80)).join('_')}.${extension}`
}
