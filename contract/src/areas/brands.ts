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
})
export type BrandSettings = Static<typeof BrandSettings>

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
    summary: "A brand's logo or login banner; 404 where it has none, and the page then takes brand 0's",
    params: Type.Object({
      id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
      kind: Type.Union([Type.Literal('logo'), Type.Literal('banner')]),
    }),
    response: { file: 'image/*' },
  }),
}
