import type { BrandPicture, BrandSettings } from '@counterfoil/contract/brands'
import type { Db } from '../../db/database.ts'

/** The query of brands' public settings: colours, shown sections, contacts, links. Without a condition yet. */
const brandSettingsQuery = (db: Db) =>
  db
    .selectFrom('brand')
    .select([
      'id',
      'name',
      'colour1',
      'colour2',
      'colour3',
      'colour4',
      'colour5',
      'colour6',
      'colour7',
      'end_show_dashboard as endShowDashboard',
      'end_show_invoices as endShowInvoices',
      'end_show_transactions as endShowTransactions',
      'end_show_usage as endShowUsage',
      'end_show_reports as endShowReports',
      'end_show_cost_centre as endShowCostCentre',
      'end_show_service_item as endShowServiceItem',
      'end_show_opening_balance as endShowOpeningBalance',
      'end_show_usage_cost_centre as endShowUsageCostCentre',
      'end_portal_transactions_extra_tab1 as endPortalTransactionsExtraTab1',
      'end_portal_transactions_extra_tab2 as endPortalTransactionsExtraTab2',
      'end_portal_transactions_extra_tab3 as endPortalTransactionsExtraTab3',
      'end_portal_transactions_extra_tab4 as endPortalTransactionsExtraTab4',
      'end_portal_transactions_extra_tab5 as endPortalTransactionsExtraTab5',
      'end_service_id as endServiceId',
      'end_service_item_display_name as endServiceItemDisplayName',
      'currency_symbol as currencySymbol',
      'help_email as helpEmail',
      'help_phone as helpPhone',
      'help_hours as helpHours',
      'terms_url as termsUrl',
      'privacy_url as privacyUrl',
    ])
    .select(({ exists, selectFrom }) => [
      exists(selectFrom('brand_image').select('kind').whereRef('brand_id', '=', 'brand.id').where('kind', '=', 'logo-dark'))
        .$castTo<boolean>()
        .as('hasDarkLogo'),
    ])

/** Finds a brand's public settings by its id; undefined without such a brand. */
export const brandById = (db: Db, id: number): Promise<BrandSettings | undefined> =>
  brandSettingsQuery(db).where('id', '=', id).executeTakeFirst()

/** Finds the public settings of the brand that has this domain, which must be in lower case; undefined without such a brand. */
export const brandByDomain = (db: Db, domain: string): Promise<BrandSettings | undefined> =>
  brandSettingsQuery(db).where('domain', '=', domain).executeTakeFirst()

export interface BrandImage {
  readonly contentType: string
  readonly bytes: Buffer
}

/** Finds a picture that was stored for the brand; undefined without one. Nothing is drawn instead. */
export const brandImage = (db: Db, brandId: number, kind: BrandPicture): Promise<BrandImage | undefined> =>
  db
    .selectFrom('brand_image')
    .select(['content_type as contentType', 'bytes'])
    .where('brand_id', '=', brandId)
    .where('kind', '=', kind)
    .executeTakeFirst()
