import type {
  AgreementTable,
  BillingPeriodTable,
  BillingTransactionTable,
  BundleProductTable,
  BundleTable,
  DataUsageDayTable,
  ExtraFieldLabelTable,
  InvoiceFileTable,
  InvoiceLineTable,
  InvoiceTable,
  InvoiceTaxChargeTable,
  InvoiceTaxTable,
  OpeningBalanceTable,
  RecordTypeTable,
  ServiceItemTable,
  ServiceTable,
  UsageCostCentreTable,
  UsageDayTable,
  UsageKindTable,
  UsageRecordTable,
  UsageVersionTable,
} from './billing.ts'
import type {
  PaymentAccountTable,
  PaymentAdjustmentTable,
  PaymentAllocationTable,
  PaymentAttemptTable,
  PaymentAttemptEventTable,
  PaymentAttemptItemTable,
  PaymentDiscrepancyTable,
  PaymentFeeRuleTable,
  PaymentIntentTable,
  PaymentIntentItemTable,
  PaymentLinkTotalTable,
  PaymentMethodTable,
  PaymentWebhookEventTable,
  PaymentOutboxTable,
  PaymentProviderCustomerTable,
} from './payments.ts'
import type { ReportChunkTable, ReportJobTable, ResellerReportTable } from './reports.ts'
import type { SignOnCodeTable, SsoAttemptTable, SsoOrganizationTable, SsoDomainTable, SsoIdentityTable } from './single-sign-on.ts'
import type {
  AppUserTable,
  AuditEntryTable,
  AuditHeadTable,
  BrandImageTable,
  BrandTable,
  CustomerTable,
  ImportTable,
  KnownAddressTable,
  RateLimitTable,
  RefreshTokenTable,
  ResellerTable,
  SessionTable,
  UserCustomerTable,
} from './tenants.ts'

/** The database's tables as TypeScript types; the schema is in server/src/migrations. */
export interface Tables {
  reseller: ResellerTable
  brand: BrandTable
  brand_image: BrandImageTable
  customer: CustomerTable
  app_user: AppUserTable
  user_customer: UserCustomerTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  rate_limit: RateLimitTable
  known_address: KnownAddressTable
  audit_head: AuditHeadTable
  audit_entry: AuditEntryTable
  agreement: AgreementTable
  billing_period: BillingPeriodTable
  service: ServiceTable
  record_type: RecordTypeTable
  service_item: ServiceItemTable
  usage_record: UsageRecordTable
  usage_day: UsageDayTable
  usage_day_kind: UsageKindTable & { day: string }
  usage_month_kind: UsageKindTable & { month: string }
  usage_month_cost_centre: UsageCostCentreTable
  usage_version: UsageVersionTable
  invoice: InvoiceTable
  invoice_line: InvoiceLineTable
  invoice_tax: InvoiceTaxTable
  invoice_tax_charge: InvoiceTaxChargeTable
  invoice_file: InvoiceFileTable
  billing_transaction: BillingTransactionTable
  extra_field_label: ExtraFieldLabelTable
  bundle: BundleTable
  bundle_product: BundleProductTable
  opening_balance: OpeningBalanceTable
  data_usage_day: DataUsageDayTable
  reseller_report: ResellerReportTable
  report_job: ReportJobTable
  report_chunk: ReportChunkTable
  payment_account: PaymentAccountTable
  payment_fee_rule: PaymentFeeRuleTable
  payment_provider_customer: PaymentProviderCustomerTable
  payment_method: PaymentMethodTable
  payment_adjustment: PaymentAdjustmentTable
  payment_intent: PaymentIntentTable
  payment_intent_item: PaymentIntentItemTable
  payment_link_total: PaymentLinkTotalTable
  payment_attempt: PaymentAttemptTable
  payment_attempt_item: PaymentAttemptItemTable
  payment_allocation: PaymentAllocationTable
  payment_attempt_event: PaymentAttemptEventTable
  payment_webhook_event: PaymentWebhookEventTable
  payment_outbox: PaymentOutboxTable
  payment_discrepancy: PaymentDiscrepancyTable
  import: ImportTable
  sso_organization: SsoOrganizationTable
  sso_domain: SsoDomainTable
  sso_identity: SsoIdentityTable
  sso_attempt: SsoAttemptTable
  sign_on_code: SignOnCodeTable
}
