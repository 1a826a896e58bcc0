import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'

const Flag = Type.Boolean()

/** A brand's look, labels and flags. */
export const BrandFlags = {
  endShowDashboard: Flag,
  endShowInvoices: Flag,
  endShowTransactions: Flag,
  endShowUsage: Flag,
  endShowReports: Flag,
  endShowCostCentre: Flag,
  endShowServiceItem: Flag,
  endShowOpeningBalance: Flag,
  endShowUsageCostCentre: Flag,
  endPortalTransactionsExtraTab1: Flag,
  endPortalTransactionsExtraTab2: Flag,
  endPortalTransactionsExtraTab3: Flag,
  endPortalTransactionsExtraTab4: Flag,
  endPortalTransactionsExtraTab5: Flag,
}

/** Where a brand's customers find help, and its legal pages; null for what the brand has not set. */
export const BrandHelp = {
  helpEmail: nullable(Type.String()),
  helpPhone: nullable(Type.String()),
  helpHours: nullable(Type.String({ description: 'When somebody answers, in words' })),
  termsUrl: nullable(Type.String({ description: 'An https address' })),
  privacyUrl: nullable(Type.String({ description: 'An https address' })),
}

const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$' })

export const BrandSettings = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  colour1: Colour,
  colour2: Colour,
  colour3: Colour,
  colour4: Colour,
  colour5: Colour,
  colour6: Colour,
  colour7: Colour,
  ...BrandFlags,
  endServiceId: nullable(Type.Integer()),
  endServiceItemDisplayName: Type.String(),
  currencySymbol: Type.String(),
  ...BrandHelp,
  hasDarkLogo: Type.Boolean({ description: 'It has a second logo for dark backgrounds' }),
})
export type BrandSettings = Static<typeof BrandSettings>

/** The pictures that an operator can give a brand. */
export const BRAND_PICTURES = ['logo', 'logo-dark', 'banner', 'icon'] as const
export type BrandPicture = (typeof BRAND_PICTURES)[number]

/** `icon` stands in a browser's tab, `touch-icon` (always a PNG of 180 × 180 pixels) on a phone's home screen. */
const ICON = Type.Literal('icon')
const TOUCH_ICON = Type.Literal('touch-icon')

/** The brand whose images replace missing images of other brands. */
export const FALLBACK_BRAND = 0

export const brands = {
  byId: endpoint({
    method: 'GET',
    path: '/v1/brands-settings/{id}',
    access: 'public',
    summary: "A brand's colours, flags and labels",
    params: Type.Object({ id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) }),
    response: BrandSettings,
  }),
  byDomain: endpoint({
    method: 'GET',
    path: '/v1/brands-settings',
    access: 'public',
    summary: 'The brand of a domain; 404 where no brand claims it',
    query: Type.Object({ d: Type.String({ minLength: 1, maxLength: 253 }) }, { additionalProperties: false }),
    response: BrandSettings,
  }),
  image: endpoint({
    method: 'GET',
    path: '/brand-images/{id}/{kind}',
    access: 'public',
    summary:
      "A brand's logo, its logo for dark backgrounds or login banner; 404 where it has none, and the page then takes brand 0's. Its icons are drawn where it has none",
    params: Type.Object({
      id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
      kind: Type.Union([Type.Literal('logo'), Type.Literal('logo-dark'), Type.Literal('banner'), ICON, TOUCH_ICON]),
    }),
    response: { file: 'image/*' },
  }),
  hostIcon: endpoint({
    method: 'GET',
    path: '/brand-images/{kind}',
    access: 'public',
    summary: "The icon of the requested host's brand; brand 0's where no brand claims the host",
    params: Type.Object({ kind: Type.Union([ICON, TOUCH_ICON]) }),
    response: { file: 'image/*' },
  }),
}
