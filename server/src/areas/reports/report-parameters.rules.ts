import { type Day, isDay } from '@counterfoil/contract/kit/day'
import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import type { Report } from '@counterfoil/contract/reports'
import { EDGE_TIMES, refuseBadSpan, withoutEdge } from '../../http/day-range.ts'
import { invalidInput } from '../../kit/api-error.ts'

/** What a report is made for: whole UTC days, both included, and ids to keep to; null means all. */
export interface ReportParameters {
  readonly days: { readonly from: Day; readonly to: Day } | null
  readonly serviceId: number | null
  readonly invoiceId: number | null
}

type Declared = Report['parameters']

/** The names that a parameter is sent under (portal.md §7). */
const SENT_AS = { DateRange: ['StartDate', 'EndDate'], ServiceId: ['ServiceId'], InvoiceId: ['InvoiceId'] } as const

const AT = 'body.parameters'

/**
 * The parameters of a report, read by the report's own declaration; "0" stands for all.
 * @throws Refusal 400 for a parameter that is unknown, doubled, missing or unreadable
 */
export const reportParameters = (declared: Declared, given: Parameters): ReportParameters => {
  const values = byName(declared, given)
  const asks = (name: Declared[number]['name']): Declared[number] | undefined => declared.find((parameter) => parameter.name === name)
  return {
    days: daysOf(values, asks('DateRange')?.required === true),
    serviceId: idOf(values, 'ServiceId', asks('ServiceId')?.required === true),
    invoiceId: idOf(values, 'InvoiceId', asks('InvoiceId')?.required === true),
  }
}

const byName = (declared: Declared, given: Parameters): ReadonlyMap<string, string> => {
  const known = new Set<string>(declared.flatMap(({ name }) => SENT_AS[name]))
  const values = new Map<string, string>()
  for (const [at, { name, value }] of given.entries()) {
    if (!known.has(name)) throw invalidInput(`${AT}.${at}.name`, `This report has no parameter ${name}.`)
    if (values.has(name)) throw invalidInput(`${AT}.${at}.name`, `The parameter ${name} stands there twice.`)
    values.set(name, value)
  }
  return values
}

const daysOf = (values: ReadonlyMap<string, string>, required: boolean): ReportParameters['days'] => {
  const [start, end] = [values.get('StartDate') ?? '0', values.get('EndDate') ?? '0']
  if (start === '0' && end === '0') {
    if (required) throw invalidInput(AT, 'Please choose the days that the report is for: StartDate and EndDate are missing.')
    return null
  }
  const from = dayOf('StartDate', start, 'first')
  const to = dayOf('EndDate', end, 'last')
  refuseBadSpan(from, to, AT)
  return { from, to }
}

const dayOf = (name: string, text: string, edge: keyof typeof EDGE_TIMES): Day => {
  const [, month, dayOfMonth, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(withoutEdge(text, edge)) ?? []
  const day = `${year}-${month}-${dayOfMonth}`
  if (!isDay(day)) throw invalidInput(AT, `The parameter ${name} is not a whole day such as 11.20.2026 ${EDGE_TIMES[edge]}.`)
  return day
}

const idOf = (values: ReadonlyMap<string, string>, name: string, required: boolean): number | null => {
  const text = values.get(name) ?? '0'
  if (!/^\d{1,15}$/.test(text)) throw invalidInput(AT, `The parameter ${name} is not an id.`)
  const id = Number(text)
  if (id === 0 && required) throw invalidInput(AT, `The parameter ${name} is missing.`)
  return id === 0 ? null : id
}
