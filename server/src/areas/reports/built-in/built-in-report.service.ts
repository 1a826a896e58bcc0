import { toFileName } from '@counterfoil/contract/kit/file-name'
import type { Report } from '@counterfoil/contract/reports'
import type { ReportJobTable } from '../../../db/tables/reports.ts'
import type { Renderer } from '../../../documents/renderer.ts'
import type { Transact } from '../../../db/transact.ts'
import { JobFailure } from '../../../queue/job.ts'
import type { Keys } from '../../../kit/keys.ts'
import type { CustomerScope } from '../../../session/scope.ts'
import type { ReportParameters } from '../report-parameters.rules.ts'

/** A report with its generator. */
export interface BuiltInReport extends Report {
  /** @throws ReportFailure when a retry would not help */
  generate(context: ReportContext): Promise<ReportContent>
}

/** What a report generator may use. All reads run as this customer. */
export interface ReportContext {
  readonly scope: CustomerScope
  readonly parameters: ReportParameters
  readonly now: Date
  readonly transact: Transact
  readonly renderer: Renderer
  /** Makes the payment links of invoices. */
  readonly keys: Keys
  /** The origin of links in documents when the brand has no domain. */
  readonly publicUrl: string
  /** About how many usage records one statement sums. */
  readonly sliceRecords: number
}

/** Why a report can never be made; null for any other failure. The list of reports says it in a sentence. */
export type FailureReason = ReportJobTable['failure']

/** A report that can never be made. */
export class ReportFailure extends JobFailure {
  readonly reason: NonNullable<FailureReason>

  constructor(reason: NonNullable<FailureReason>, message: string) {
    super(message, { isPermanent: true })
    this.reason = reason
  }
}

export interface ReportContent {
  readonly fileName: string
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

export const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** The file name of a report from its parts and its days, such as `Invoice_Register_2026-11-01_2026-11-30.xlsx`. */
export const reportFileName = (parts: readonly string[], { days }: ReportParameters, extension: keyof typeof CONTENT_TYPES): string => {
  const nameParts = [...parts, ...(days === null ? [] : [days.from, days.to])]
  return `${toFileName(nameParts.join('_').replaceAll(' ', '_'))}.${extension}`
}
