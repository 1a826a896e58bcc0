import type { Generated, GeneratedAlways } from 'kysely'
import type { BrandPicture } from '@counterfoil/contract/brands'
import type { NonNullColumn, BooleanColumn } from './columns.ts'

export interface ResellerTable {
  id: NonNullColumn<number>
  name: string
  legal_name: string
  registration_number: string | null
  address_lines: NonNullColumn<string[]>
  email: string | null
  phone: string | null
  currency: string
  currency_symbol: string
  invoice_label_singular: NonNullColumn<string>
  invoice_label_plural: NonNullColumn<string>
  invoice_terms: string | null
  payment_type: NonNullColumn<number>
  payments_enabled: BooleanColumn
  payments_bulk: BooleanColumn
  publishable_key: string | null
  direct_debit_payment_method_id: number | null
  payment_type_disclaimer: string | null
  payment_billing_address_required: BooleanColumn
  payment_email_receipt: BooleanColumn
  payment_cardholder_required: BooleanColumn
  payment_raw_card: BooleanColumn
  /** Follows from payment_type. */
  payment_provider: GeneratedAlways<string | null>
  /** Null until somebody has chosen, which counts as true. */
  customer_permission_for_charging: Generated<boolean | null>
  confirmation_message_for_charging: string | null
  hide_payment_types_for_customer_users: BooleanColumn
}

export interface BrandTable {
  id: NonNullColumn<number>
  reseller_id: number | null
  name: string
  domain: string | null
  colour1: NonNullColumn<string>
  colour2: NonNullColumn<string>
  colour3: NonNullColumn<string>
  colour4: NonNullColumn<string>
  colour5: NonNullColumn<string>
  colour6: NonNullColumn<string>
  colour7: NonNullColumn<string>
  end_show_dashboard: BooleanColumn
  end_show_invoices: BooleanColumn
  end_show_transactions: BooleanColumn
  end_show_usage: BooleanColumn
  end_show_reports: BooleanColumn
  end_show_cost_centre: BooleanColumn
  end_show_service_item: BooleanColumn
  end_show_opening_balance: BooleanColumn
  end_show_usage_cost_centre: BooleanColumn
  end_portal_transactions_extra_tab1: BooleanColumn
  end_portal_transactions_extra_tab2: BooleanColumn
  end_portal_transactions_extra_tab3: BooleanColumn
  end_portal_transactions_extra_tab4: BooleanColumn
  end_portal_transactions_extra_tab5: BooleanColumn
  end_service_id: number | null
  end_service_item_display_name: NonNullColumn<string>
  currency_symbol: NonNullColumn<string>
  help_email: string | null
  help_phone: string | null
  help_hours: string | null
  terms_url: string | null
  privacy_url: string | null
}

export interface BrandImageTable {
  brand_id: number
  kind: BrandPicture
  content_type: string
  bytes: Buffer
  changed_at: NonNullColumn<Date>
}

export interface CustomerTable {
  id: NonNullColumn<number>
  reseller_id: number
  brand_id: number
  external_id: string | null
  label: string
  address_lines: NonNullColumn<string[]>
  currency: string
  currency_symbol: string
  allow_reseller_charge: BooleanColumn
}

export interface AppUserTable {
  id: NonNullColumn<string>
  reseller_id: number
  brand_id: number
  username: string
  email: string | null
  display_name: string
  password_hash: string | null
  password_changed_at: Date | null
  disabled_at: Date | null
  external_id: string | null
  number_locale: string | null
  receipt_email: string | null
}

export interface UserCustomerTable {
  user_id: string
  customer_id: number
  selected: BooleanColumn
}

export interface SessionTable {
  id: string
  user_id: string
  client_id: string
  cookie_hash: Buffer | null
  kind: NonNullColumn<'customer' | 'support'>
  supporter: string | null
  only_customer_id: number | null
  created_at: Date
  idle_until: Date
  absolute_until: Date
  ended_at: Date | null
  ended_by: 'logout' | 'password' | 'reuse' | 'disabled' | null
}

export interface AuditHeadTable {
  reseller_id: number
  seq: number
  seal: Buffer
}

export interface AuditEntryTable {
  reseller_id: number
  seq: number
  at: Date
  action: string
  actor_kind: 'user' | 'support' | 'operator' | 'system'
  actor_id: string | null
  actor_name: string
  in_name_of_id: string | null
  in_name_of: string | null
  subject: string
  about_customer_id: number | null
  source: string
  detail: string | null
  before_hash: Buffer | null
  after_hash: Buffer | null
  previous_seal: Buffer
  seal: Buffer
}

export interface RefreshTokenTable {
  token_hash: Buffer
  session_id: string
  counter: number
  issued_at: Date
  used_at: Date | null
}

export interface RateLimitTable {
  subject: Buffer
  full_at: Date
}

export interface KnownAddressTable {
  subject: Buffer
  user_id: string
  known_until: Date
}

export interface ImportTable {
  id: NonNullColumn<number>
  reseller_id: number
  kind: string
  imported_at: Date
  first_record_id: number | null
  last_record_id: number | null
  usage_from: Date | null
  usage_to: Date | null
  usage_records: NonNullColumn<number>
  undone_at: Date | null
  file: string | null
  imported_by: string | null
  file_rows: number | null
}
