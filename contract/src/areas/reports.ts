import { type Static, Type } from 'typebox'
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
  exportTypeId: Type.Integer({ description: '1 csv, 2 pdf, any other Excel' }),
  parameters: Type.Array(ReportParameter),
})
export type Report = Static<typeof Report>

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
    body: Type.Object({ id: Id, parameters: Parameters }, { additionalProperties: false }),
    response: Type.Object({ reportId: Type.String() }),
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
