import { type Day, isDay } from '@counterfoil/contract/kit/day'
import type { Timeframe } from '@counterfoil/contract/kit/timeframe'
import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { toReportDateParameters } from '@counterfoil/contract/kit/usage-filter'
import type { Report } from '@counterfoil/contract/reports'
import { EDGE_TIMES, assertValidRange, stripEdgeTime } from '../../http/day-range.ts'
import { invalidInput } from '../../kit/api-error.ts'

/** The parsed parameters of a report: whole UTC days, both included, and ids; null means all. */
export interface ReportParameters {
  readonly days: { readonly from: Day; readonly to: Day } | null
  readonly serviceId: number | null
  readonly invoiceId: number | null
}

/** The parameters as a requested report keeps them. */
export interface StoredParameters extends ReportParameters {
  /** What the days were chosen by; absent where they were chosen one by one. */
  readonly timeframe?: Timeframe | null
}

type Declared = Report['parameters']

/** The names of a parameter in requests (RPT-02). */
const WIRE_NAMES = { DateRange: ['StartDate', 'EndDate'], ServiceId: ['ServiceId'], InvoiceId: ['InvoiceId'] } as const

const PARAMETERS_PATH = 'body.parameters'

/**
 * Parses the parameters that a report declares; "0" means all.
 * @throws ApiError 400 for a parameter that is unknown, repeated, missing or invalid
 */
export const reportParameters = (declared: Declared, parameters: Parameters): ReportParameters => {
  const values = toValuesByName(declared, parameters)
  const declarationOf = (name: Declared[number]['name']): Declared[number] | undefined =>
    declared.find((parameter) => parameter.name === name)
  return {
    days: parseDays(values, declarationOf('DateRange')?.required === true),
    serviceId: parseId(values, 'ServiceId', declarationOf('ServiceId')?.required === true),
    invoiceId: parseId(values, 'InvoiceId', declarationOf('InvoiceId')?.required === true),
  }
}

/** The parameters of a report in the form of a request, from which the same report can be made again. */
export const toParameters = (declared: Declared, { days, serviceId, invoiceId }: ReportParameters): Parameters =>
  declared.flatMap(({ name }) => {
    if (name === 'DateRange') return toReportDateParameters(days)
    return [{ name, value: String((name === 'ServiceId' ? serviceId : invoiceId) ?? 0) }]
  })

/** The texts of the parameters by name. @throws ApiError 400 for a parameter that is not declared, or given twice */
const toValuesByName = (declared: Declared, parameters: Parameters): ReadonlyMap<string, string> => {
  const known = new Set<string>(declared.flatMap(({ name }) => WIRE_NAMES[name]))
  const values = new Map<string, string>()
  for (const [at, { name, value }] of parameters.entries()) {
    if (!known.has(name)) throw invalidInput(`${PARAMETERS_PATH}.${at}.name`, `This report has no parameter ${name}.`)
    if (values.has(name)) throw invalidInput(`${PARAMETERS_PATH}.${at}.name`, `The parameter ${name} is given twice.`)
    values.set(name, value)
  }
  return values
}

/**
 * The days between StartDate and EndDate; null for all days, where both are "0" or missing.
 * @throws ApiError 400 where days are required, or are not valid
 */
const parseDays = (values: ReadonlyMap<string, string>, required: boolean): ReportParameters['days'] => {
  const [start, end] = [values.get('StartDate') ?? '0', values.get('EndDate') ?? '0']
  if (start === '0' && end === '0') {
    if (required) throw invalidInput(PARAMETERS_PATH, 'Please choose the days that the report is for: StartDate and EndDate are missing.')
    return null
  }
  const from = parseDay('StartDate', start, 'first')
  const to = parseDay('EndDate', end, 'last')
  assertValidRange(from, to, PARAMETERS_PATH)
  return { from, to }
}

/** Parses a day in the order month, day, year, such as 11.20.2026, with or without the time of its edge. @throws ApiError 400 */
const parseDay = (name: string, text: string, edge: keyof typeof EDGE_TIMES): Day => {
  const [, month, dayOfMonth, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(stripEdgeTime(text, edge)) ?? []
  const day = `${year}-${month}-${dayOfMonth}`
  if (!isDay(day)) throw invalidInput(PARAMETERS_PATH, `The parameter ${name} is not a whole day such as 11.20.2026 ${EDGE_TIMES[edge]}.`)
  return day
}

/** An id; null for "0" or without one. @throws ApiError 400 where an id is required, or the text is none */
const parseId = (values: ReadonlyMap<string, string>, name: string, required: boolean): number | null => {
  const text = values.get(name) ?? '0'
  if (!/^\d{1,15}$/.test(text)) throw invalidInput(PARAMETERS_PATH, `The parameter ${name} is not an id.`)
  const id = Number(text)
  if (id === 0 && required) throw invalidInput(PARAMETERS_PATH, `The parameter ${name} is missing.`)
  return id === 0 ? null : id
}
