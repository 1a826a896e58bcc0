import type { DueAdjustment } from '@counterfoil/contract/kit/payments/adjustment'
import type { PaymentDetails, PortalSettings } from '@counterfoil/contract/portal-settings'
import type { SettingsRow } from './portal-settings.queries.ts'

/** The response of GET portal settings: labels, company, and how payments work. */
export const toPortalSettings = (row: SettingsRow, adjustments: readonly DueAdjustment[]): PortalSettings => ({
  invoiceLabel: { singular: row.invoiceLabelSingular, plural: row.invoiceLabelPlural },
  companyName: row.legalName,
  payments: {
    enabled: row.paymentsEnabled,
    bulk: row.paymentsEnabled && row.paymentsBulk,
    paymentType: row.paymentType,
    billingAddressRequired: row.paymentBillingAddressRequired,
    emailReceipt: row.paymentEmailReceipt,
    adjustments: [...adjustments],
  },
})

/** What the portal's forms of the reseller's provider need. */
export type ProviderFormSettings = Pick<PaymentDetails, 'scriptUrl' | 'splitCardFields' | 'takesCardNumbers'>

/** The response of GET payment details: what the payment forms need, with the brand's flags of shown sections. */
export const toPaymentDetails = (row: SettingsRow, form: ProviderFormSettings): PaymentDetails => ({
  ...form,
  paymentType: row.paymentType,
  publishableKey: row.publishableKey,
  directDebitPaymentMethodId: row.directDebitPaymentMethodId,
  paymentTypeDisclaimer: row.paymentTypeDisclaimer,
  companyName: row.legalName,
  paymentEmailReceipt: row.paymentEmailReceipt,
  paymentBillingAddressRequired: row.paymentBillingAddressRequired,
  invoiceLabelSingular: row.invoiceLabelSingular,
  invoiceLabelPlural: row.invoiceLabelPlural,
  currencySymbol: { symbol: row.currencySymbol },
  endShowDashboard: row.end_show_dashboard,
  endShowInvoices: row.end_show_invoices,
  endShowTransactions: row.end_show_transactions,
  endShowUsage: row.end_show_usage,
  endShowReports: row.end_show_reports,
  endShowCostCentre: row.end_show_cost_centre,
  endShowServiceItem: row.end_show_service_item,
  endShowOpeningBalance: row.end_show_opening_balance,
  endShowUsageCostCentre: row.end_show_usage_cost_centre,
  endPortalTransactionsExtraTab1: row.end_portal_transactions_extra_tab1,
  endPortalTransactionsExtraTab2: row.end_portal_transactions_extra_tab2,
  endPortalTransactionsExtraTab3: row.end_portal_transactions_extra_tab3,
  endPortalTransactionsExtraTab4: row.end_portal_transactions_extra_tab4,
  endPortalTransactionsExtraTab5: row.end_portal_transactions_extra_tab5,
})
