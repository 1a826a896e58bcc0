import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'

export const Service = Type.Object({ id: Type.Integer(), name: Type.String(), serviceItemLabel: Type.String() })
export type Service = Static<typeof Service>

export const services = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/services',
    access: 'customer',
    sections: ['usage', 'reports', 'cost-centre', 'service-items'],
    summary: 'The services that the customer uses, by name',
    response: Type.Array(Service),
  }),
}
