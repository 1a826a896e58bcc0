import { type Static, Type } from 'typebox'
import { Day, Instant } from '../kit/day.ts'
import { TIMEFRAMES, type Timeframe } from '../kit/timeframe.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { Id } from '../kit/http/ids.ts'
import { Parameters } from '../kit/http/parameters.ts'
import { nullable } from '../kit/http/nullable.ts'

/** The parameters that a report may have; DateRange is sent as StartDate and EndDate. */
const ReportParameter = Type.Object({
  name: Type.Union([Type.Literal('DateRange'), Type.Literal('ServiceId'), Type.Literal('InvoiceId')]),
  required: Type.Boolean(),
})

export const Report = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String({ description: 'What the report is for, in a sentence' }),
  exportTypeId: Type.Integer({ description: '1 csv, 2 pdf, any other Excel' }),
  parameters: Type.Array(ReportParameter),
})
export type Report = Static<typeof Report>

/** A named timeframe, such as "Last Month". */
const NamedTimeframe = Type.Unsafe<Timeframe>({ type: 'string', enum: TIMEFRAMES })

export const ReportRun = Type.Object({
  id: Type.String(),
  reportId: Type.Integer(),
  name: Type.String(),
  timeframe: Type.Unsafe<Timeframe | null>({ enum: [...TIMEFRAMES, null], description: 'The timeframe that the days were chosen by' }),
  from: nullable(Day, 'The first day; null for all days'),
  to: nullable(Day),
  service: nullable(Type.String()),
  invoice: nullable(Type.String(), 'The number of the invoice'),
  parameters: Parameters,
  requestedAt: Instant,
  requestedBy: nullable(Type.String(), 'Null for a user who was removed, and for support'),
  bySupport: Type.Boolean(),
  status: Type.Integer({ description: '10 waiting, 20 running, 30 ready, 40 failed' }),
  reason: nullable(Type.String(), 'Why it failed, in a sentence'),
  expiresAt: nullable(Instant, 'When the file of a report that is ready expires'),
  expired: Type.Boolean(),
  path: nullable(Type.String(), 'Of a file that can be fetched'),
  fileName: nullable(Type.String()),
  sizeBytes: nullable(Type.Integer()),
  offered: Type.Boolean({ description: 'Whether the same report can be made again' }),
})
export type ReportRun = Static<typeof ReportRun>

/** The most reports in the list of the last ones. */
export const MAX_REPORT_RUNS = 25

/** How long a file can be downloaded. */
export const REPORT_LIFETIME_HOURS = 24

/** The API's numbers of the states of a report. */
export const REPORT_STATUS = { waiting: 10, running: 20, ready: 30, failed: 40 } as const

/** The formats of a report's file; every other number is an Excel workbook. */
export const EXPORT_TYPE = { csv: 1, pdf: 2, workbook: 3 } as const

/** How often the portal requests the status. */
export const REPORT_POLL_MS = 2_000

export const reports = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/reports',
    access: 'customer',
    sections: ['reports'],
    summary: 'The reports that the reseller offers',
    response: Type.Array(Report),
  }),
  generate: endpoint({
    method: 'POST',
    path: '/v1/ec/reports',
    access: 'customer',
    sections: ['reports'],
    summary: 'Starts to make a report',
    body: Type.Object(
      {
        id: Id,
        parameters: Parameters,
        timeframe: Type.Optional({
          ...NamedTimeframe,
          description: 'What the days were chosen by, for whoever makes the report again; the days are sent all the same',
        }),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({ reportId: Type.String() }),
  }),
  runs: endpoint({
    method: 'GET',
    path: '/v1/ec/reports/runs',
    access: 'customer',
    sections: ['reports'],
    summary: 'The last reports of the customer, whoever asked for them, newest first; at most 25',
    response: Type.Array(ReportRun),
  }),
  status: endpoint({
    method: 'GET',
    path: '/v1/ec/reports/status/{id}',
    access: 'customer',
    sections: ['reports'],
    summary: 'How far a report is: 10 waiting, 20 running, 30 ready, 40 failed',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
    response: Type.Object({ status: Type.Integer(), path: nullable(Type.String()) }),
  }),
  blob: endpoint({
    method: 'GET',
    path: '/v1/ec/reports/blob/{path}',
    access: 'customer',
    sections: ['reports'],
    summary: 'The file of a report that is ready',
    params: Type.Object({ path: Type.String({ minLength: 1, maxLength: 128 }) }),
    response: { file: '*/*' },
  }),
}
