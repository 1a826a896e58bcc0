import { type Static, Type } from 'typebox'
import { Day } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { Id } from '../kit/http/ids.ts'
import { nullable } from '../kit/http/nullable.ts'

export const Agreement = Type.Object({ id: Type.Integer(), agreementName: Type.String() })
export type Agreement = Static<typeof Agreement>

export const BillingPeriod = Type.Object({
  id: Type.Integer(),
  month: nullable(Type.Integer(), '1 to 12 where the period is a calendar month'),
  year: nullable(Type.Integer()),
  periodStart: Day,
  periodEnd: Type.String({ format: 'date', description: 'The last day that belongs to it' }),
  periodLabel: Type.String(),
})
export type BillingPeriod = Static<typeof BillingPeriod>

export const agreements = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/agreements',
    access: 'customer',
    sections: ['transactions', 'usage'],
    summary: "The customer's agreements, by name",
    response: Type.Array(Agreement),
  }),
  periods: endpoint({
    method: 'GET',
    path: '/v1/ec/billing-periods/{id}',
    access: 'customer',
    sections: ['transactions'],
    summary: 'The billing periods of an agreement, newest first',
    params: Type.Object({ id: Id }),
    response: Type.Array(BillingPeriod),
  }),
}
