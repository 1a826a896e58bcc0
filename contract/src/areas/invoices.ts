import { type Static, Type } from 'typebox'
import { Day, Instant } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'

export const Invoice = Type.Object({
  id: Type.Integer(),
  number: Type.String(),
  amount: Type.Number({ description: "With the currency's digits" }),
  amountDue: Type.Number(),
  dateInvoice: Day,
  dateDue: Day,
  dateGenerated: Instant,
  paid: Type.Boolean(),
  canPay: Type.Boolean({ description: 'Open or overdue with something due, and payments are enabled' }),
  payToken: nullable(Type.String(), 'Opens /pay/{payToken}; null where payments are off'),
  selected: Type.Boolean(),
  fee: Type.Number({ description: 'What is added when it is paid by card; 0 where nothing is, or where it cannot be paid' }),
  invoiceStatus: Type.Integer({ description: '1 open, 5 overdue, 7 in collection, 9 credited, 11 paid' }),
  isCredited: Type.Boolean(),
  periodLabel: Type.String({ description: 'The billing period, as in November 2026; in English; empty where it has none' }),
  periodStart: nullable(Day, 'The first day of the billing period; null where it has none'),
  periodEnd: nullable(Day, 'The last day that belongs to it'),
  currencySymbol: Type.String(),
})
export type Invoice = Static<typeof Invoice>

export const invoices = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/invoices',
    access: 'customer',
    sections: ['dashboard', 'invoices', 'reports'],
    summary: "The customer's invoices, newest first",
    response: Type.Array(Invoice),
  }),
  document: endpoint({
    method: 'GET',
    path: '/v1/ec/invoices/{id}',
    access: 'customer',
    sections: ['dashboard', 'invoices'],
    summary: 'The invoice as a PDF file',
    params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    response: { file: 'application/pdf' },
  }),
}
