import type { Day, Decimal, NonNullColumn, MinorUnits } from './columns.ts'
import type { UsageText } from './usage-columns.data.ts'

export interface AgreementTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  name: string
}

export interface BillingPeriodTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  agreement_id: number | null
  starts_on: Day
  ends_on: Day
}

export interface ServiceTable {
  id: NonNullColumn<number>
  reseller_id: number
  external_id: string | null
  name: string
  service_item_label: NonNullColumn<string>
}

export interface RecordTypeTable {
  id: NonNullColumn<number>
  reseller_id: number
  service_id: number
  external_id: string | null
  description: string
}

export interface ServiceItemTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  service_id: number
  service_item: string
  description: string | null
  cost_centre: string | null
  site: string | null
}

export interface UsageRecordTable extends Record<UsageText['column'], string | null> {
  customer_id: number
  reseller_id: number
  id: NonNullColumn<number>
  external_id: string | null
  usage_at: Date
  service_id: number
  record_type_id: number
  agreement_id: number | null
  service_item_id: number | null
  cost_centre: string | null
  units: Decimal
  price: Decimal
  /** What the source says beyond our own columns, by its names. */
  extras: Readonly<Record<string, string>> | null
}

export interface InvoiceTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  number: string
  agreement_id: number | null
  period_id: number | null
  currency: string
  net_minor: MinorUnits
  amount_minor: MinorUnits
  amount_due_minor: MinorUnits
  issued_on: Day
  due_on: Day
  generated_at: Date
  status: NonNullColumn<number>
  /** The SHA-256 of the token of its payment link; null without one. */
  pay_token_hash: Buffer | null
  /** The number that a provider's file gave it; later charges with that number join the same invoice. */
  provider_number: string | null
  /** The number of the invoice that a credit note corrects; null where the source does not say. */
  corrects: string | null
}

export interface InvoiceLineTable {
  customer_id: number
  invoice_id: number
  line_no: number
  service_name: string
  description: string
  service_item: string | null
  from_on: Day | null
  to_on: Day | null
  quantity: Decimal | null
  unit: string | null
  unit_price: Decimal | null
  amount_minor: MinorUnits
}

export interface InvoiceTaxTable {
  customer_id: number
  invoice_id: number
  tax_no: number
  name: string
  /** Null where the source states the amount alone. */
  rate_percent: Decimal | null
  base_minor: MinorUnits | null
  amount_minor: MinorUnits
}

/** The exact charges behind the taxes of an invoice. */
export interface InvoiceTaxChargeTable {
  customer_id: number
  external_id: string
  invoice_id: number
  name: string
  amount: Decimal
}

export interface InvoiceFileTable {
  customer_id: number
  invoice_id: number
  bytes: Buffer
}

export interface BillingTransactionTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  agreement_id: number | null
  period_id: number
  invoice_id: number | null
  product_label: string
  product_name: string
  service_id: number | null
  service_item: string | null
  site_label: string | null
  date_from: Day | null
  date_to: Day | null
  price: Decimal
  quantity: Decimal
  extra_field1: string | null
  extra_field2: string | null
  extra_field3: string | null
  extra_field4: string | null
  extra_field5: string | null
}

export interface ExtraFieldLabelTable {
  reseller_id: number
  extra_field_type_id: number
  extra_field1: string | null
  extra_field2: string | null
  extra_field3: string | null
  extra_field4: string | null
  extra_field5: string | null
}

export interface BundleTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  name: string
}

export interface BundleProductTable {
  customer_id: number
  bundle_id: number
  product_no: number
  product_name: string
  service_item: NonNullColumn<string>
  quantity: Decimal
  unit_label: string
  consumption: Decimal
}

export interface OpeningBalanceTable {
  customer_id: number
  balance_minor: MinorUnits
  as_of_on: Day
}

export interface DataUsageDayTable {
  customer_id: number
  used_on: Day
  gigabytes: Decimal
}

export interface UsageDayTable {
  customer_id: number
  day: Day
  records: number
  price: Decimal
}

export interface UsageKindTable {
  customer_id: number
  service_id: number
  record_type_id: number
  agreement_id: number
  records: number
  price: Decimal
  units: Decimal
}

export interface UsageCostCentreTable {
  customer_id: number
  month: Day
  cost_centre: string
  records: number
}

export interface UsageVersionTable {
  customer_id: number
  reseller_id: number
  version: number
}
