import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, allEndpoints } from '../test/support/http-client.ts'
import { type TestContext, testContext } from '../test/support/test-app.ts'

/** The parts of an OpenAPI 3.1 document that these tests read. */
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> }
}
interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: object }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>>
}

let context: TestContext
let app: FastifyInstance
let document: Document
const routes: string[] = []

/** Collects every route that is registered, but for those that only refuse other methods. */
const collectRoutes = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    if (config?.isOtherMethod !== true) routes.push(...[method].flat().map((one) => `${one} ${url}`))
  })
}

beforeAll(async () => {
  context = await testContext({ PUBLIC_URL: 'https://billing.example.com' })
  subscribe('fastify.initialization', collectRoutes)
  app = await context.app()
  unsubscribe('fastify.initialization', collectRoutes)
  document = (await app.inject('/openapi.json')).json<Document>()
})
afterAll(() => context.close())

const endpointName = ({ method, path }: Endpoint): string => `${method} ${path}`
const endpoints = allEndpoints.map((endpoint): [string, Endpoint] => [endpointName(endpoint), endpoint])

test('the description is made once: as it is, compressed, or not at all for whoever has it', async () => {
  const [plain, compressed] = [await app.inject('/openapi.json'), await getDocument({ 'accept-encoding': 'br, gzip' })]
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(JSON.parse(gunzipSync(compressed.rawPayload).toString())).toEqual(plain.json())
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
  for (const { headers } of [plain, compressed]) {
    const again = await getDocument({
      'if-none-match': String(headers['etag']),
      'accept-encoding': headers['content-encoding'] ? 'gzip' : '',
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  }
  expect(compressed.headers['etag']).not.toBe(plain.headers['etag'])
})

const getDocument = (headers: Record<string, string>) => app.inject({ url: '/openapi.json', headers })

test('every call of the contract is served exactly once, and nothing else is served under /v1', () => {
  const paths = routes.map((route) => route.replace(/:(\w+)/g, '{$1}')).filter((route) => !route.startsWith('HEAD '))
  for (const [name] of endpoints)
    expect(
      paths.filter((route) => route === name),
      name,
    ).toHaveLength(1)
  const unknownPaths = paths.filter(
    (route) => / \/(v1|token|revoke|brand-images)(\/|$)/.test(route) && !endpoints.some(([name]) => name === route),
  )
  expect(unknownPaths).toEqual([])
  expect(new Set(endpoints.map(([name]) => name)).size).toBe(endpoints.length)
})

/** The endpoints that the public API promises. */
const SPECIFIED = [
  'POST /token',
  'POST /v1/ec/password',
  'GET /v1/ec/settings',
  'GET /v1/ec/me',
  'GET /v1/brands-settings/{id}',
  'GET /v1/brands-settings',
  'GET /v1/ec/allow-reseller-charge',
  'GET /v1/ec/invoices',
  'GET /v1/ec/invoices/{id}',
  'GET /v1/ec/jasper-usage',
  'GET /v1/ec/jasper-usage/all',
  'GET /v1/ec/opening-balance',
  'GET /v1/ec/bundle-widget',
  'GET /v1/ec/reports',
  'POST /v1/ec/reports',
  'GET /v1/ec/reports/status/{id}',
  'GET /v1/ec/reports/blob/{path}',
  'GET /v1/ec/payments/details',
]

test.each(SPECIFIED)('[API-01] %s is served under the name that the specification gives it', (name) => {
  expect(endpoints.map(([name]) => name)).toContain(name)
})

/** Splits a list of names. */
const names = (text: string): string[] => text.split(' ')

const FLAGS = names(
  'endShowDashboard endShowInvoices endShowTransactions endShowUsage endShowReports endShowCostCentre endShowServiceItem ' +
    'endShowOpeningBalance endShowUsageCostCentre endPortalTransactionsExtraTab1 endPortalTransactionsExtraTab2 ' +
    'endPortalTransactionsExtraTab3 endPortalTransactionsExtraTab4 endPortalTransactionsExtraTab5',
)

/** Field names of the public API, letter for letter. */
test.each<[string, readonly string[]]>([
  ['GET /v1/ec/me', ['customers']],
  ['GET /v1/ec/me customers', ['customerId', 'label', 'selected']],
  ['GET /v1/ec/settings', ['invoiceLabel', 'companyName', 'payments']],
  ['GET /v1/ec/settings invoiceLabel', ['singular', 'plural']],
  ['GET /v1/ec/settings payments', ['enabled', 'bulk', 'paymentType', 'billingAddressRequired', 'emailReceipt']],
  [
    'GET /v1/brands-settings/{id}',
    ['id', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `colour${n}`), ...FLAGS, 'endServiceId', 'endServiceItemDisplayName', 'currencySymbol'],
  ],
  [
    'GET /v1/ec/invoices',
    names(
      'id number amount amountDue dateInvoice dateDue dateGenerated paid canPay payToken selected ' +
        'invoiceStatus isCredited periodLabel currencySymbol',
    ),
  ],
  ['GET /v1/ec/opening-balance', ['balance']],
  ['GET /v1/ec/bundle-widget', ['bundleName', 'bundle_products']],
  ['GET /v1/ec/bundle-widget bundle_products', ['productName', 'serviceItem', 'quantity', 'unitLabel', 'consumption']],
  ['GET /v1/ec/jasper-usage/all', ['periodLabel', 'dataUsage']],
  ['GET /v1/ec/jasper-usage', ['periodLabel', 'dataUsage']],
  ['GET /v1/ec/allow-reseller-charge', ['allowResellerCharge', 'hidePaymentTypesForCustomerUsers']],
  ['POST /token', ['access_token', 'refresh_token']],
])('[API-01] %s answers with the fields %j', (name, fields) => {
  const [method = '', path = '', inner] = name.split(' ')
  const reply = document.paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.schema
  const whole = propertiesOf(reply)
  expect(Object.keys(inner === undefined ? whole : propertiesOf(whole[inner]))).toEqual(expect.arrayContaining([...fields]))
})

/** The properties of an object's schema, or of an array's items. */
const propertiesOf = (schema: object | undefined): Record<string, object> => {
  const { properties, items } = (schema ?? {}) as { properties?: Record<string, object>; items?: { properties?: Record<string, object> } }
  return properties ?? items?.properties ?? {}
}

describe('[OPS-04] the OpenAPI document', () => {
  test('is of version 3.1, names the address of this server and describes every call, and no other', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Counterfoil', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    expect(document.servers).toEqual([{ url: 'https://billing.example.com' }])
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual(endpoints.map(([name]) => name).toSorted())
  })

  test.each(endpoints)('describes %s: its area, who may call it, what it takes and what it answers', (_, endpoint) => {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    expect(operation).toMatchObject({ summary: endpoint.summary, tags: [areaOf(endpoint)] })
    const keys = { public: [], user: [{ bearer: [] }], customer: [{ bearer: [], customer: [] }] }
    expect(operation?.security).toEqual(keys[endpoint.access])
    const parameters = operation?.parameters ?? []
    const named = (where: string): string[] => parameters.filter((one) => one.in === where).map(({ name }) => name)
    expect(named('path')).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(parameters.filter((one) => one.in === 'path').every(({ required }) => required)).toBe(true)
    expect(named('query')).toEqual(Object.keys(endpoint.query?.properties ?? {}))
    const bodies = Object.keys(operation?.requestBody?.content ?? {})
    expect(bodies).toEqual(
      endpoint.body === undefined ? [] : [endpoint.form === true ? 'application/x-www-form-urlencoded' : 'application/json'],
    )
    const done = operation?.responses[endpoint.response === null ? '204' : '200']
    const type =
      endpoint.response === null
        ? []
        : ['file' in endpoint.response && typeof endpoint.response.file === 'string' ? endpoint.response.file : 'application/json']
    expect(Object.keys(done?.content ?? {})).toEqual(type)
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['4XX', '5XX']))
  })

  test('declares the token and the customer header that its calls refer to', () => {
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      customer: { type: 'apiKey', in: 'header', name: 'X-Customer-Id' },
    })
  })

  test('holds only schemas that JSON Schema 2020-12, the dialect of OpenAPI 3.1, accepts', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: true })
    formats.default(ajv)
    const schemas = schemasIn(document.paths)
    expect(schemas.length).toBeGreaterThan(endpoints.length)
    for (const schema of schemas) expect(() => ajv.compile(schema)).not.toThrow()
  })
})

const areaOf = (endpoint: Endpoint): string | undefined =>
  Object.entries(ENDPOINTS).find(([, area]) => Object.values<Endpoint>(area).includes(endpoint))?.[0]

const schemasIn = (value: unknown): object[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === 'schema' ? [inner as object] : schemasIn(inner)))
}

test('a method that a call does not have is refused, and no other method of it does anything', async () => {
  for (const [, endpoint] of endpoints) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const url = endpoint.path.replace(/\{\w+\}/g, '1')
      const isServed = endpoints.some(([name]) => new RegExp(`^${name.replace(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${url}`))
      if (isServed || url.includes('brand-images')) continue
      expect((await sendRequest(app, { method, url })).statusCode, `${method} ${url}`).toBe(method === 'OPTIONS' ? 404 : 405)
    }
  }
})
