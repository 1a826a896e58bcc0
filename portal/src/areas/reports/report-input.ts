import { type Day, isDay, type Span, timeframeDays, type Timeframe } from '@counterfoil/contract/kit/day'
import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { formatReportDay, toReportDateParameters } from '@counterfoil/contract/kit/usage-filter'
import type { Report } from '@counterfoil/contract/reports'

/** The value that stands for "all" (portal.md §2, Reports). */
export const DEFAULT_OPTION = '0'
/** Days of one's own choice, instead of a preset. */
export const CUSTOM_RANGE = 'own'

/** What somebody has chosen for a report. */
export interface ReportInput {
  readonly timeframe: Timeframe | typeof DEFAULT_OPTION | typeof CUSTOM_RANGE
  /** The days of one's own choice, as far as they are filled in. */
  readonly from: string
  readonly to: string
  /** Ids as text; '' while nothing is chosen. */
  readonly serviceId: string
  readonly invoiceId: string
}

type ReportParameter = Report['parameters'][number]

export const parameterOf = ({ parameters }: Report, name: ReportParameter['name']): ReportParameter | undefined =>
  parameters.find((parameter) => parameter.name === name)

/** What stands there first: this month, and the default where there is one. */
export const initialInput = (report: Report, today: Day): ReportInput => {
  const initialId = (name: ReportParameter['name']): string => (parameterOf(report, name)?.required === true ? '' : DEFAULT_OPTION)
  return {
    timeframe: 'This Month',
    ...timeframeDays('This Month', today),
    serviceId: initialId('ServiceId'),
    invoiceId: initialId('InvoiceId'),
  }
}

/** The days that are chosen; null for the default, undefined while they make no sense yet. */
export const spanOfInput = ({ timeframe, from, to }: ReportInput, today: Day): Span | null | undefined => {
  if (timeframe === DEFAULT_OPTION) return null
  if (timeframe !== CUSTOM_RANGE) return timeframeDays(timeframe, today)
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** "11.01.2026 - 11.20.2026" (portal.md §2, Reports). */
export const spanText = ({ from, to }: Span): string => `${formatReportDay(from)} - ${formatReportDay(to)}`

/** What is sent for a choice; undefined while something that must be filled is not (portal.md §5, §7). */
export const toParameters = (report: Report, input: ReportInput, today: Day): Parameters | undefined => {
  const parts = report.parameters.map((parameter): Parameters | undefined => {
    if (parameter.name === 'DateRange') return dateRangeParameters(parameter, spanOfInput(input, today))
    const value = parameter.name === 'ServiceId' ? input.serviceId : input.invoiceId
    return value === '' || (parameter.required && value === DEFAULT_OPTION) ? undefined : [{ name: parameter.name, value }]
  })
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

const dateRangeParameters = ({ required }: ReportParameter, span: Span | null | undefined): Parameters | undefined => {
  if (span === undefined || (span === null && required)) return undefined
  return toReportDateParameters(span)
}
