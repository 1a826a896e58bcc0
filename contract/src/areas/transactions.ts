import { type Static, Type } from 'typebox'
import { Day } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { Id } from '../kit/http/ids.ts'
import { nullable } from '../kit/http/nullable.ts'

const Words = nullable(Type.String())

export const Transaction = Type.Object({
  id: Type.Integer(),
  productLabel: Type.String(),
  productName: Type.String({ description: "The product's code" }),
  serviceName: Words,
  serviceItem: Words,
  siteLabel: Words,
  invoiceNumber: Words,
  dateFrom: nullable(Day),
  dateTo: nullable(Day),
  price: Type.Number({ description: 'Of the whole quantity' }),
  currency: Type.String({ description: "ISO 4217; the invoice's, or the customer's where there is no invoice" }),
  quantity: Type.Number(),
  extraField1: Words,
  extraField2: Words,
  extraField3: Words,
  extraField4: Words,
  extraField5: Words,
})
export type Transaction = Static<typeof Transaction>

/** The maximum number of transactions in a response, earliest billed first. The screen says when a period has as many. */
export const MAX_TRANSACTIONS = 50_000

/** The headings of the extra columns of transactions. */
export const TRANSACTION_EXTRA_FIELDS = 3

export const ExtraFieldLabels = Type.Object({
  extraFieldTypeId: Type.Integer(),
  extraField1: Words,
  extraField2: Words,
  extraField3: Words,
  extraField4: Words,
  extraField5: Words,
})
export type ExtraFieldLabels = Static<typeof ExtraFieldLabels>

export const transactions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/transactions',
    access: 'customer',
    sections: ['transactions'],
    summary: 'The transactions of a billing period, in the order in which they were billed; at most 50,000',
    query: Type.Object({ period: Id }, { additionalProperties: false }),
    response: Type.Array(Transaction),
  }),
  extraFieldLabels: endpoint({
    method: 'GET',
    path: '/v1/ec/extra-fields/labels',
    access: 'customer',
    sections: ['transactions'],
    summary: 'What the extra fields are called; extraFieldTypeId 3 is transactions',
    response: Type.Array(ExtraFieldLabels),
  }),
}
