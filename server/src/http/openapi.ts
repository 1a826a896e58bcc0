import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { FastifyInstance } from 'fastify'

/** The OpenAPI 3.1 document, generated from the registered endpoints when it is first requested. */
export const openApiRoutes = {
  document: (publicUrl: string): FastifyDynamicSwaggerOptions => ({
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Counterfoil',
        version: '0.1.0',
        description: 'Self-service billing: what a customer owes and why. Every call of the portal, for programs too.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of POST /token' },
          customer: {
            type: 'apiKey',
            in: 'header',
            name: CUSTOMER_HEADER,
            description: "The customer to act for; a user's only one may be left out",
          },
        },
      },
    },
    transform: ({ schema, url }) => ({ schema: { ...schema, hide: schema?.summary === undefined }, url }),
  }),
  serve: (app: FastifyInstance): void => {
    app.get('/openapi.json', async (_, reply) => reply.header('cache-control', 'public, max-age=300').send(app.swagger()))
  },
}
