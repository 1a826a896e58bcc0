import { type Static, Type } from 'typebox'
import { Day } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'

/** The only reseller whose customers see the data-usage charts. */
export const JASPER_RESELLER = 2204

export const Bundle = Type.Object({
  bundleName: Type.String(),
  bundle_products: Type.Array(
    Type.Object({
      productName: Type.String(),
      serviceItem: Type.String(),
      quantity: Type.Number({ description: 'What the bundle includes' }),
      unitLabel: Type.String(),
      consumption: Type.Number({ description: 'What has been used of it' }),
    }),
  ),
})
export type Bundle = Static<typeof Bundle>

export const DataUsage = Type.Object({
  periodLabel: Type.String({ description: 'In English' }),
  periodStart: Day,
  periodEnd: Type.String({ format: 'date', description: 'The last day that belongs to it' }),
  dataUsage: Type.Number({ description: 'Gigabytes' }),
})
export type DataUsage = Static<typeof DataUsage>

/** The most months of spending that one call answers. */
export const MAX_SPENDING_MONTHS = 36

/** The schema of an amount in whole currency units, as a number. */
const Amount = (description: string) => Type.Number({ description })

export const Spending = Type.Object({
  month: Type.String({ format: 'date', description: 'Its first day; the last month is the running one' }),
  sums: Type.Array(
    Type.Object({
      currency: Type.String({ description: 'ISO 4217' }),
      currencySymbol: Type.String(),
      total: Amount('What the invoices of the month came to, with taxes: services, taxes and other together'),
      services: Type.Array(Type.Object({ serviceName: Type.String(), amount: Amount('The lines of the service, without taxes') }), {
        description: 'By name; beyond the hundred largest of all the months they are in other',
      }),
      taxes: Type.Number(),
      other: Amount('What is on no line of these services'),
    }),
    { description: 'One for each currency; empty where nothing was invoiced' },
  ),
})
export type Spending = Static<typeof Spending>

export const dashboard = {
  openingBalance: endpoint({
    method: 'GET',
    path: '/v1/ec/opening-balance',
    access: 'customer',
    sections: ['dashboard'],
    summary: 'What the customer owed when the current period opened; null where nothing is recorded',
    response: Type.Object({
      balance: nullable(Type.Number()),
      asOf: nullable(Day, 'The day for which the balance stands; null where nothing is recorded'),
    }),
  }),
  spending: endpoint({
    method: 'GET',
    path: '/v1/ec/spending',
    access: 'customer',
    sections: ['dashboard'],
    summary: 'What was invoiced in each of the last months, by service, oldest month first',
    query: Type.Object(
      { months: Type.Integer({ minimum: 1, maximum: MAX_SPENDING_MONTHS, default: 12, description: 'The running one included' }) },
      { additionalProperties: false },
    ),
    response: Type.Array(Spending),
  }),
  bundles: endpoint({
    method: 'GET',
    path: '/v1/ec/bundle-widget',
    access: 'customer',
    sections: ['dashboard'],
    summary: "The customer's bundles and what is used of each",
    response: Type.Array(Bundle),
  }),
  dataUsageOfMonth: endpoint({
    method: 'GET',
    path: '/v1/ec/jasper-usage',
    access: 'customer',
    sections: ['dashboard'],
    summary: 'Data used in the current month, by week; reseller 2204 only',
    response: Type.Array(DataUsage),
  }),
  dataUsageOfPeriods: endpoint({
    method: 'GET',
    path: '/v1/ec/jasper-usage/all',
    access: 'customer',
    sections: ['dashboard'],
    summary: 'Data used in each period, newest first; reseller 2204 only',
    response: Type.Array(DataUsage),
  }),
}
