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

export const dashboard = {
  openingBalance: endpoint({
    method: 'GET',
    path: '/v1/ec/opening-balance',
    access: 'customer',
    sections: ['dashboard'],
    summary: 'What the customer owed when the current period opened; null where nothing is recorded',
    response: Type.Object({ balance: nullable(Type.Number()) }),
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
