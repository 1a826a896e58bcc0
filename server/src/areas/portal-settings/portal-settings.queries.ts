import type { Db } from '../../db/database.ts'
import type { PortalScope } from '../../session/scope.ts'

/** Reads the reseller's settings and its brand's, as the customer's portal needs them. Throws when either is gone. */
export const readPortalSettings = (db: Db, scope: PortalScope) =>
  db
    .selectFrom('reseller')
    .innerJoin('brand', 'brand.reseller_id', 'reseller.id')
    .leftJoin('payment_account as account', (join) =>
      join
        .onRef('account.reseller_id', '=', 'reseller.id')
        .onRef('account.provider', '=', 'reseller.payment_provider')
        .on('account.replaced_at', 'is', null),
    )
    .selectAll('brand')
    .select([
      'reseller.legal_name as legalName',
      'reseller.invoice_label_singular as invoiceLabelSingular',
      'reseller.invoice_label_plural as invoiceLabelPlural',
      'reseller.payments_enabled as paymentsEnabled',
      'reseller.payments_bulk as paymentsBulk',
      'reseller.payment_type as paymentType',
      'reseller.publishable_key as publishableKey',
      'reseller.direct_debit_payment_method_id as directDebitPaymentMethodId',
      'reseller.payment_type_disclaimer as paymentTypeDisclaimer',
      'reseller.payment_billing_address_required as paymentBillingAddressRequired',
      'reseller.payment_email_receipt as paymentEmailReceipt',
      'reseller.currency_symbol as currencySymbol',
      'reseller.payment_provider as paymentProvider',
      'reseller.payment_raw_card as mayTakeRawCards',
      'account.base_url as accountBaseUrl',
    ])
    .where('reseller.id', '=', scope.resellerId)
    .where('brand.id', '=', scope.brandId)
    .executeTakeFirstOrThrow()

export type SettingsRow = Awaited<ReturnType<typeof readPortalSettings>>
