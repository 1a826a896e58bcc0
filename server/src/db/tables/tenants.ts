import type { Generated, GeneratedAlways } from 'kysely'
import type { BrandPicture } from '@counterfoil/contract/brands'
import type { Filled, Flag } from './columns.ts'

export interface ResellerTable {
  id: Filled<number>
  name: string
  legal_name: string
  registration_number: string | null
  address_lines: Filled<string[]>
  email: string | null
  phone: string | null
  currency: string
  currency_symbol: string
  invoice_label_singular: Filled<string>
  invoice_label_plural: Filled<string>
  invoice_terms: string | null
  payment_type: Filled<number>
  payments_enabled: Flag
  payments_bulk: Flag
  publishable_key: string | null
  direct_debit_payment_method_id: number | null
  payment_type_disclaimer: string | null
  payment_billing_address_required: Flag
  payment_email_receipt: Flag
  payment_cardholder_required: Flag
  payment_raw_card: Flag
  /** Follows from payment_type. */
  payment_provider: GeneratedAlways<string | null>
  /** Null until somebody has chosen, which counts as true. */
  customer_permission_for_charging: Generated<boolean | null>
  confirmation_message_for_charging: string | null
  hide_payment_types_for_customer_users: Flag
}

export interface BrandTable {
  id: Filled<number>
  reseller_id: number | null
  name: string
  domain: string | null
  colour1: Filled<string>
  colour2: Filled<string>
  colour3: Filled<string>
  colour4: Filled<string>
  colour5: Filled<string>
  colour6: Filled<string>
  colour7: Filled<string>
  end_show_dashboard: Flag
  end_show_invoices: Flag
  end_show_transactions: Flag
  end_show_usage: Flag
  end_show_reports: Flag
  end_show_cost_centre: Flag
  end_show_service_item: Flag
  end_show_opening_balance: Flag
  end_show_usage_cost_centre: Flag
  end_portal_transactions_extra_tab1: Flag
  end_portal_transactions_extra_tab2: Flag
  end_portal_transactions_extra_tab3: Flag
  end_portal_transactions_extra_tab4: Flag
  end_portal_transactions_extra_tab5: Flag
  end_service_id: number | null
  end_service_item_display_name: Filled<string>
  currency_symbol: Filled<string>
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
  changed_at: Filled<Date>
}

export interface CustomerTable {
  id: Filled<number>
  reseller_id: number
  brand_id: number
  external_id: string | null
  label: string
  address_lines: Filled<string[]>
  currency: string
  currency_symbol: string
  allow_reseller_charge: Flag
}

export interface AppUserTable {
  id: Filled<string>
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
  selected: Flag
}

export interface SessionTable {
  id: string
  user_id: string
  client_id: string
  cookie_hash: Buffer | null
  kind: Filled<'customer' | 'support'>
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
  id: Filled<number>
  reseller_id: number
  kind: string
  imported_at: Date
  first_record_id: number | null
  last_record_id: number | null
  usage_from: Date | null
  usage_to: Date | null
  usage_records: Filled<number>
  undone_at: Date | null
  file: string | null
  imported_by: string | null
  file_rows: number | null
}
