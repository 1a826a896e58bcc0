import { type Day, isDay, type Span, timeframeDays, type Timeframe } from '@counterfoil/contract/kit/day'
import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import type { Report } from '@counterfoil/contract/reports'

/** The value that stands for "all" (portal.md §2, Reports). */
export const DEFAULT = '0'
/** Days of one's own choice, instead of a preset. */
export const OWN_DAYS = 'own'

/** What somebody has chosen for a report. */
export interface ReportChoice {
  readonly timeframe: Timeframe | typeof DEFAULT | typeof OWN_DAYS
  /** The days of one's own choice, as far as they are filled in. */
  readonly from: string
  readonly to: string
  /** Ids as text; '' while nothing is chosen. */
  readonly serviceId: string
  readonly invoiceId: string
}

type Declared = Report['parameters'][number]

export const parameterOf = ({ parameters }: Report, name: Declared['name']): Declared | undefined =>
  parameters.find((parameter) => parameter.name === name)

/** What stands there first: this month, and the default where there is one. */
export const firstChoice = (report: Report, today: Day): ReportChoice => {
  const idOf = (name: Declared['name']): string => (parameterOf(report, name)?.required === true ? '' : DEFAULT)
  return { timeframe: 'This Month', ...timeframeDays('This Month', today), serviceId: idOf('ServiceId'), invoiceId: idOf('InvoiceId') }
}

/** The days that are chosen; null for the default, undefined while they make no sense yet. */
export const spanOfChoice = ({ timeframe, from, to }: ReportChoice, today: Day): Span | null | undefined => {
  if (timeframe === DEFAULT) return null
  if (timeframe !== OWN_DAYS) return timeframeDays(timeframe, today)
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** "11.20.2026", as reports write a day. */
const dotted = (day: Day): string => `${day.slice(5, 7)}.${day.slice(8, 10)}.${day.slice(0, 4)}`

/** "11.01.2026 - 11.20.2026" (portal.md §2, Reports). */
export const spanText = ({ from, to }: Span): string => `${dotted(from)} - ${dotted(to)}`

/** What is sent for a choice; undefined while something that must be filled is not (portal.md §5, §7). */
export const parametersOf = (report: Report, choice: ReportChoice, today: Day): Parameters | undefined => {
  const parts = report.parameters.map((declared): Parameters | undefined => {
    if (declared.name === 'DateRange') return daysOf(declared, spanOfChoice(choice, today))
    const value = declared.name === 'ServiceId' ? choice.serviceId : choice.invoiceId
    return value === '' || (declared.required && value === DEFAULT) ? undefined : [{ name: declared.name, value }]
  })
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

const daysOf = ({ required }: Declared, span: Span | null | undefined): Parameters | undefined => {
  if (span === undefined || (span === null && required)) return undefined
  return [
    { name: 'StartDate', value: span === null ? DEFAULT : `${dotted(span.from)} 00:00:00` },
    { name: 'EndDate', value: span === null ? DEFAULT : `${dotted(span.to)} 23:59:59` },
  ]
}
