import { type Day, isDay, type Span } from '@counterfoil/contract/kit/day'
import { timeframeDays, TIMEFRAMES, type Timeframe } from '@counterfoil/contract/kit/timeframe'
import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { formatReportDay, toReportDateParameters } from '@counterfoil/contract/kit/usage-filter'
import type { Report, ReportRun } from '@counterfoil/contract/reports'

/** The value of the "Default" option, which means all (RPT-02). */
export const DEFAULT_OPTION = '0'
/** The option for a custom date range. */
export const CUSTOM_RANGE = 'own'

/** The values of the dialog's fields. */
export interface ReportInput {
  readonly timeframe: Timeframe | typeof DEFAULT_OPTION | typeof CUSTOM_RANGE
  /** The days of a custom range; "" while a field is empty. */
  readonly from: string
  readonly to: string
  /** Ids as text; "" while nothing is selected. */
  readonly serviceId: string
  readonly invoiceId: string
}

type ReportParameter = Report['parameters'][number]

/** The report's parameter of this name; undefined when the report does not take one. */
export const parameterOf = ({ parameters }: Report, name: ReportParameter['name']): ReportParameter | undefined =>
  parameters.find((parameter) => parameter.name === name)

/** The initial values: this month, and "Default" where it is offered. */
export const initialInput = (report: Report, today: Day): ReportInput => {
  const initialId = (name: ReportParameter['name']): string => (parameterOf(report, name)?.required === true ? '' : DEFAULT_OPTION)
  return {
    timeframe: 'This Month',
    ...timeframeDays('This Month', today),
    serviceId: initialId('ServiceId'),
    invoiceId: initialId('InvoiceId'),
  }
}

/** The selected days; null for "Default", undefined while they are invalid. */
export const spanOfInput = ({ timeframe, from, to }: ReportInput, today: Day): Span | null | undefined => {
  if (timeframe === DEFAULT_OPTION) return null
  if (timeframe !== CUSTOM_RANGE) return timeframeDays(timeframe, today)
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** The days as "11.01.2026 - 11.20.2026". */
export const spanText = ({ from, to }: Span): string => `${formatReportDay(from)} - ${formatReportDay(to)}`

/** The parameters to send; undefined while a required one is missing (RPT-02). */
export const toParameters = (report: Report, input: ReportInput, today: Day): Parameters | undefined => {
  const parts = report.parameters.map((parameter): Parameters | undefined => {
    if (parameter.name === 'DateRange') return dateRangeParameters(parameter, spanOfInput(input, today))
    const value = parameter.name === 'ServiceId' ? input.serviceId : input.invoiceId
    return value === '' || (parameter.required && value === DEFAULT_OPTION) ? undefined : [{ name: parameter.name, value }]
  })
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/**
 * The parameters of the first and the last day, which stand for all days where none are chosen. Undefined while the days are invalid, or
 * missing though they are required.
 */
const dateRangeParameters = ({ required }: ReportParameter, span: Span | null | undefined): Parameters | undefined => {
  if (span === undefined || (span === null && required)) return undefined
  return toReportDateParameters(span)
}

/** What a report is asked for with: its parameters, and the timeframe that its days were chosen by. */
export interface ReportChoice {
  readonly parameters: Parameters
  readonly timeframe?: Timeframe
}

/** The choice in the dialog's fields; undefined while something required is missing. */
export const toChoice = (report: Report, input: ReportInput, today: Day): ReportChoice | undefined => {
  const parameters = toParameters(report, input, today)
  const timeframe = TIMEFRAMES.find((name) => name === input.timeframe)
  if (parameters === undefined) return undefined
  return timeframe === undefined || parameterOf(report, 'DateRange') === undefined ? { parameters } : { parameters, timeframe }
}

/** The choice that makes a report again: the same one, with the days that its timeframe has today. */
export const repeatedRequest = ({ parameters, timeframe }: Pick<ReportRun, 'parameters' | 'timeframe'>, today: Day): ReportChoice => {
  if (timeframe === null) return { parameters }
  const days = toReportDateParameters(timeframeDays(timeframe, today))
  const others = parameters.filter(({ name }) => days.every((day) => day.name !== name))
  return { parameters: [...days, ...others], timeframe }
}
