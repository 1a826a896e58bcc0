import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { sendRequest, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addBrand, addReseller } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let brandId: number

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>'
const COLOURS = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`colour${n}`, `#0000f${n}`]))

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  const resellerId = await addReseller(context)
  brandId = await addBrand(context, resellerId, {
    name: 'Nimbus',
    domain: 'portal.nimbus.example',
    currency_symbol: '€',
    end_service_id: 7,
    end_service_item_display_name: 'SIM card',
    end_show_reports: false,
    help_email: 'help@nimbus.example',
    help_hours: 'Weekdays 9 to 5',
    terms_url: 'https://nimbus.example/terms',
    end_show_usage_cost_centre: true,
    end_portal_transactions_extra_tab5: true,
    ...COLOURS,
  })
  await insertRow(context, resellerId, 'brand_image', {
    brand_id: brandId,
    kind: 'logo',
    content_type: 'image/svg+xml',
    bytes: Buffer.from(LOGO),
  })
  const banner = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255])
  await insertRow(context, resellerId, 'brand_image', { brand_id: brandId, kind: 'banner', content_type: 'image/png', bytes: banner })
})
afterAll(() => context.close())

const get = (url: string) => sendRequest(app, { url })

const nimbus = () => ({
  id: brandId,
  name: 'Nimbus',
  ...COLOURS,
  endShowDashboard: true,
  endShowInvoices: true,
  endShowTransactions: true,
  endShowUsage: true,
  endShowReports: false,
  endShowCostCentre: true,
  endShowServiceItem: true,
  endShowOpeningBalance: true,
  endShowUsageCostCentre: true,
  endPortalTransactionsExtraTab1: false,
  endPortalTransactionsExtraTab2: false,
  endPortalTransactionsExtraTab3: false,
  endPortalTransactionsExtraTab4: false,
  endPortalTransactionsExtraTab5: true,
  endServiceId: 7,
  endServiceItemDisplayName: 'SIM card',
  currencySymbol: '€',
  helpEmail: 'help@nimbus.example',
  helpPhone: null,
  helpHours: 'Weekdays 9 to 5',
  termsUrl: 'https://nimbus.example/terms',
  privacyUrl: null,
  hasDarkLogo: false,
})

test('[BRAND-01] a brand by its id has its seven colours, its flags and its labels, without anybody signed in', async () => {
  const answer = await get(`/v1/brands-settings/${brandId}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, nimbus()])
})

test.each(['portal.nimbus.example', 'Portal.NIMBUS.Example'])('[AUTH-11] a brand is found by its domain, written as %s', async (domain) => {
  expect((await get(`/v1/brands-settings?d=${domain}`)).json()).toEqual(nimbus())
})

test.each(['nimbus.example', 'portal.nimbus.example.', 'x', 'localhost', '%', "' or 1=1 --"])(
  '[AUTH-11] the domain %s, which no brand claims, is not found',
  async (domain) => {
    const answer = await get(`/v1/brands-settings?d=${encodeURIComponent(domain)}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
  },
)

test('[BRAND-01] brand 0, the fallback, is there from the start with the default colours', async () => {
  const answer = await get('/v1/brands-settings/0')
  expect(answer.json()).toMatchObject({ id: 0, name: 'Counterfoil', colour1: '#ffffff', endServiceItemDisplayName: 'Service Item' })
})

test('[BRAND-01] the logo comes as it is, and a script in it can neither run nor load anything', async () => {
  const answer = await get(`/brand-images/${brandId}/logo`)
  expect([answer.statusCode, answer.body]).toEqual([200, LOGO])
  expect(answer.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-site',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=300',
  })
})

test('[BRAND-01] the banner is a picture of its own type', async () => {
  const answer = await get(`/brand-images/${brandId}/banner`)
  expect(answer.headers['content-type']).toBe('image/png')
  expect(answer.rawPayload).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]))
})

test.each(['logo', 'banner'])('[AUTH-10] brand 0 has the %s that replaces a missing one', async (kind) => {
  const answer = await get(`/brand-images/0/${kind}`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/svg+xml'])
})

test.each(['/brand-images/999999/logo', '/brand-images/999999/banner', '/brand-images/999999/touch-icon', '/v1/brands-settings/999999'])(
  '[AUTH-10] %s is not found, so that the page takes the fallback',
  async (url) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
  },
)

test.each([
  ['/v1/brands-settings', 'query.d'],
  ['/v1/brands-settings?d=', 'query.d'],
  ['/v1/brands-settings?d=a&d=b', 'query.d'],
  ['/v1/brands-settings?d=a&x=b', 'query.x'],
  [`/v1/brands-settings?d=${'a'.repeat(254)}`, 'query.d'],
  ['/v1/brands-settings?d=a%00b', 'query.d'],
  ['/v1/brands-settings/-1', 'params.id'],
  ['/v1/brands-settings/2147483648', 'params.id'],
  ['/v1/brands-settings/abc', 'params.id'],
  ['/v1/brands-settings/1e0', 'params.id'],
  ['/brand-images/1/photo', 'params.kind'],
  ['/brand-images/logo', 'params.kind'],
])('[BRAND-01] %s is refused at %s', async (url, path) => {
  const answer = await get(url)
  expect([answer.statusCode, answer.json().errors[0]?.path]).toEqual([400, path])
})

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

test('[EASE-14] a brand has icons drawn from its name and its primary colour, which browsers keep for an hour', async () => {
  const icon = await get(`/brand-images/${brandId}/icon`)
  expect([icon.statusCode, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    'public, max-age=3600',
  ])
  expect(icon.body).toContain('fill="#0000f2"')
  expect(icon.body).toMatch(/<path fill="#ffffff" d="M[\d. LMz-]{40,}"/)
  const touch = await get(`/brand-images/${brandId}/touch-icon`)
  const png = touch.rawPayload
  expect([touch.headers['content-type'], png.subarray(0, 8), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    'image/png',
    PNG_START,
    180,
    180,
  ])
})

test('[EASE-14] the icon without an id is that of the host’s brand, and brand 0’s where no brand claims the host', async () => {
  const iconAt = async (host: string) => (await sendRequest(app, { url: '/brand-images/icon', headers: { host } })).body
  expect(await iconAt('portal.nimbus.example:8080')).toBe((await get(`/brand-images/${brandId}/icon`)).body)
  expect(await iconAt('elsewhere.example')).toBe((await get('/brand-images/0/icon')).body)
})

test('[EASE-14] [EASE-13] a brand’s own icon and its logo for dark backgrounds come as they are', async () => {
  const resellerId = await addReseller(context)
  const own = await addBrand(context, resellerId, { name: 'Own pictures' })
  for (const kind of ['icon', 'logo-dark'] as const)
    await insertRow(context, resellerId, 'brand_image', { brand_id: own, kind, content_type: 'image/svg+xml', bytes: Buffer.from(LOGO) })
  for (const kind of ['icon', 'logo-dark']) expect((await get(`/brand-images/${own}/${kind}`)).body).toBe(LOGO)
  // A phone shows no SVG on its home screen.
  expect((await get(`/brand-images/${own}/touch-icon`)).headers['content-type']).toBe('image/png')
  expect((await get(`/v1/brands-settings/${own}`)).json()).toMatchObject({ hasDarkLogo: true })
  expect((await get(`/brand-images/${brandId}/logo-dark`)).statusCode).toBe(404)
})

test.each(['Ångström', '株式会社', '٤٢', '— —', 'ǆ', 'عرب'])('[EASE-14] a brand named %s has an icon', async (name) => {
  const id = await addBrand(context, await addReseller(context), { name })
  for (const kind of ['icon', 'touch-icon']) expect((await get(`/brand-images/${id}/${kind}`)).statusCode).toBe(200)
})
