import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { FastifyInstance } from 'fastify'

/** The OpenAPI 3.1 document, generated from the registered endpoints and serialised when it is first requested. */
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
    let document: Document | null = null
    app.get('/openapi.json', async ({ headers }, reply) => {
      document ??= toDocument(app.swagger())
      const form = /\bgzip\b/.test(headers['accept-encoding'] ?? '') ? document.compressed : document.plain
      void reply.headers({ 'cache-control': 'public, max-age=300', vary: 'accept-encoding', etag: form.etag })
      if (headers['if-none-match']?.includes(form.etag) === true) return reply.code(304).send()
      if (form === document.compressed) void reply.header('content-encoding', 'gzip')
      return reply.type('application/json; charset=utf-8').send(form.body)
    })
  },
}

interface DocumentForm {
  readonly body: Buffer
  readonly etag: string
}

/** The document as it is sent, made once: half a megabyte. */
interface Document {
  readonly plain: DocumentForm
  readonly compressed: DocumentForm
}

/** The JSON of a document, plain and gzipped, each with an ETag made of its digest. */
const toDocument = (content: object): Document => {
  const body = Buffer.from(JSON.stringify(content))
  const digest = createHash('sha256').update(body).digest('base64url')
  return { plain: { body, etag: `"${digest}"` }, compressed: { body: gzipSync(body), etag: `"${digest}-gzip"` } }
}
