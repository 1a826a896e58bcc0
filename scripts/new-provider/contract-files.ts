import { capitalize, type NewProvider } from './provider-names.ts'

const endpoints = (name: string, Name: string): string => `import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { Stored } from '../payment-methods.ts'

const MethodId = Type.String({ minLength: 1, maxLength: 64 })

/** A stored card at ${Name}. */
export const ${Name}Card = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  ${name}Card: Type.Optional(Type.Object({ brand: nullable(Type.String()), last4: nullable(Type.String()) })),
})
export type ${Name}Card = Static<typeof ${Name}Card>

export const ${name}Methods = {
  ${name}Cards: endpoint({
    method: 'GET',
    path: '/v1/ec/${name}/cards',
    access: 'customer',
    summary: 'The stored cards, first added first',
    response: Type.Array(${Name}Card),
  }),
  add${Name}Card: endpoint({
    method: 'POST',
    path: '/v1/ec/${name}/cards',
    access: 'customer',
    summary: 'Stores the card that a token of the provider’s own fields stands for; a first method becomes the default',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 255 }) }, { additionalProperties: false }),
    response: Stored,
  }),
  remove${Name}Card: endpoint({
    method: 'DELETE',
    path: '/v1/ec/${name}/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored card; the first one left becomes the default when the default is removed',
    params: Type.Object({ id: MethodId }),
    response: null,
  }),
  make${Name}Default: endpoint({
    method: 'PUT',
    path: '/v1/ec/${name}/customer-default-source',
    access: 'customer',
    summary: 'Makes a stored card the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
}
`

/** The provider's own paths for stored methods, by path of the file. */
export const contractFiles = ({ name }: NewProvider): Record<string, string> => ({
  [`contract/src/areas/providers/${name}.ts`]: endpoints(name, capitalize(name)),
})
