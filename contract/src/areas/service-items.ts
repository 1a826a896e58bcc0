import { type Static, Type } from 'typebox'
import { Day } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { FilterId, Id } from '../kit/http/ids.ts'
import { nullable } from '../kit/http/nullable.ts'

const Words = nullable(Type.String())

export const ServiceItem = Type.Object({
  id: Type.Integer(),
  serviceId: Type.Integer(),
  serviceItem: Type.String(),
  description: Words,
  costCentre: Words,
})
export type ServiceItem = Static<typeof ServiceItem>

/** The maximum number of service items in a response. */
export const MAX_SERVICE_ITEMS = 50_000

/** The price of the usage of one service item. */
export const ServiceItemUsage = Type.Object({
  id: Type.Integer(),
  price: Type.String({ description: 'Exact, as decimal text' }),
})
export type ServiceItemUsage = Static<typeof ServiceItemUsage>

const Text = nullable(Type.String({ maxLength: 500 }))

export const serviceItems = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/service-items',
    access: 'customer',
    sections: ['usage', 'cost-centre', 'service-items'],
    summary: 'The service items of a service, or of all, by name; at most 50,000',
    query: Type.Object({ service: FilterId }, { additionalProperties: false }),
    response: Type.Array(ServiceItem),
  }),
  usage: endpoint({
    method: 'GET',
    path: '/v1/ec/service-items/usage',
    access: 'customer',
    sections: ['cost-centre'],
    summary:
      'What the usage of each service item costs in this month of UTC, until today; items without usage are left out. ' +
      'Refused with too_many_records where adding it up takes more than five seconds',
    query: Type.Object({ service: FilterId }, { additionalProperties: false }),
    response: Type.Object({ from: Day, to: Day, items: Type.Array(ServiceItemUsage) }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/ec/service-items/{id}',
    access: 'customer',
    sections: ['cost-centre'],
    summary:
      'Sets the description or the cost centre of a service item, or both; null empties one, and a field that is not sent stays. ' +
      'Refused with record_changed when a value of basedOn is not the stored one',
    params: Type.Object({ id: Id }),
    body: Type.Object(
      {
        description: Type.Optional(Text),
        costCentre: Type.Optional(Text),
        basedOn: Type.Optional(
          Type.Object(
            { description: Type.Optional(Words), costCentre: Type.Optional(Words) },
            { additionalProperties: false, description: 'What the sender saw; without it the values are set whatever they were' },
          ),
        ),
        // Clients may send a listed service item as a whole; its other fields are ignored.
        id: Type.Optional(Type.Integer()),
        serviceId: Type.Optional(Type.Integer()),
        serviceItem: Type.Optional(Type.String({ maxLength: 500 })),
      },
      { additionalProperties: false },
    ),
    response: ServiceItem,
  }),
}
