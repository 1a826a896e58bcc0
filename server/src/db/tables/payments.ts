import type { ColumnType, Generated } from 'kysely'
import type { NonNullColumn, BooleanColumn, MinorUnits } from './columns.ts'

/** JSON: an object out, its text in. */
type Json<T> = ColumnType<T, string, string>

export interface PaymentAccountTable {
  reseller_id: number
  id: Generated<number>
  provider: string
  base_url: string
  /** What tells it from others at the same address; null where that is not known yet. */
  identity: NonNullColumn<string | null>
  /** Its credentials; null once they are deleted. */
  sealed: Buffer | null
  changed_at: NonNullColumn<Date>
  /** Since when another account is used instead; null while it is in use. */
  replaced_at: NonNullColumn<Date | null>
  returns_read_at: NonNullColumn<Date | null>
}

export interface PaymentFeeRuleTable {
  reseller_id: number
  line: 'CREDIT_CARD_FEE' | 'DIRECT_DEBIT_FEE'
  currency: string
  percent: ColumnType<string, string | number | undefined, string | number>
  fixed_minor: NonNullColumn<number>
}

export interface PaymentProviderCustomerTable {
  customer_id: number
  account_id: number
  provider_customer_id: string
}

export interface PaymentMethodTable {
  customer_id: number
  id: string
  account_id: number
  token: string
  kind: 'card' | 'bank'
  type: string
  shown: Json<Readonly<Record<string, unknown>>>
  status: NonNullColumn<'ready' | 'pending'>
  is_default: BooleanColumn
  added_at: Date
  added_no: Generated<number>
  removed_at: Date | null
}

export interface PaymentAdjustmentTable {
  customer_id: number
  id: NonNullColumn<number>
  external_id: string | null
  currency: string
  amount_minor: MinorUnits
  description: string
  settled_at: Date | null
}

export interface PaymentIntentTable {
  customer_id: number
  id: string
  reseller_id: number
  session_id: string
  channel: 'bulk' | 'link' | 'autopay' | 'invoice'
  currency: string
  created_by: string | null
  created_at: Date
  expires_at: Date
  entry_reference: NonNullColumn<string | null>
  /** What it came to by card and from a bank account, as it was shown; null where nothing was shown. */
  card_total_minor: ColumnType<number | null, number | null | undefined, never>
  bank_total_minor: ColumnType<number | null, number | null | undefined, never>
}

export interface PaymentLinkTotalTable {
  customer_id: number
  invoice_id: number
  due_minor: MinorUnits
  card_total_minor: MinorUnits
  bank_total_minor: MinorUnits
  shown_at: Date
  rejected_at: NonNullColumn<Date | null>
  pages: NonNullColumn<number>
}

export interface PaymentIntentItemTable {
  customer_id: number
  intent_id: string
  item_no: number
  invoice_id: number | null
  adjustment_id: number | null
  amount_minor: MinorUnits
}

export interface PaymentAttemptTable {
  customer_id: number
  id: string
  merchant_reference: string
  reseller_id: number
  intent_id: string
  provider: string
  account_id: number
  submit_key: Buffer | null
  method_fingerprint: Buffer | null
  is_debit: boolean
  method_id: string | null
  method_type: string
  method_shown: Json<Readonly<Record<string, string>>> | null
  currency: string
  amount_minor: MinorUnits
  fee_line: 'CREDIT_CARD_FEE' | 'DIRECT_DEBIT_FEE' | null
  fee_minor: MinorUnits
  refunded_minor: NonNullColumn<number>
  reversed_minor: NonNullColumn<number>
  refund_sent_minor: MinorUnits | null
  refund_sent_total_minor: MinorUnits | null
  status: NonNullColumn<string>
  provider_ref: string | null
  redirect_url: string | null
  decline_reason: string | null
  provider_code: string | null
  user_message: string | null
  receipt_email: string | null
  created_at: Date
  sent_at: Date | null
  resolved_at: Date | null
  resolved_by: string | null
  next_check_at: Date | null
  cancel_requested_at: Date | null
  checks: NonNullColumn<number>
  not_started_checks: NonNullColumn<number>
  lease_until: Date | null
  version: NonNullColumn<number>
}

export interface PaymentAttemptItemTable {
  customer_id: number
  attempt_id: string
  item_no: number
  invoice_id: number | null
  adjustment_id: number | null
  amount_minor: MinorUnits
  live: BooleanColumn
}

export interface PaymentAllocationTable {
  customer_id: number
  attempt_id: string
  entry_no: number
  kind: 'pay' | 'refund' | 'reversal'
  target: 'invoice' | 'adjustment' | 'fee'
  invoice_id: number | null
  adjustment_id: number | null
  amount_minor: MinorUnits
  overpaid_minor: NonNullColumn<number>
  recorded_at: Date
}

export interface PaymentAttemptEventTable {
  customer_id: number
  attempt_id: string
  entry_no: number
  from_status: string | null
  to_status: string
  source: string
  note: string | null
  at: Date
}

export interface PaymentWebhookEventTable {
  reseller_id: number
  provider: string
  event_id: string
  kind: string
  subject: Json<Readonly<Record<string, string>>>
  /** The accounts whose secret signed it. */
  account_ids: NonNullColumn<readonly number[]>
  received_at: Date
  processed_at: Date | null
}

export interface PaymentOutboxTable {
  reseller_id: number
  id: NonNullColumn<number>
  customer_id: number
  dedupe_key: string
  kind: string
  payload: Json<Readonly<Record<string, unknown>>>
  created_at: Date
  done_at: Date | null
  /** Its number in the sequence; assigned when it is first read. */
  place: number | null
}

export interface PaymentDiscrepancyTable {
  reseller_id: number
  provider: string
  account_id: number
  provider_ref: string
  kind: string
  attempt_id: string | null
  merchant_reference: string
  about_customer_id: number | null
  currency: string
  ours_minor: MinorUnits | null
  theirs_minor: MinorUnits | null
  found_at: Date
  closed_at: Date | null
  closed_by: string | null
  reason: string | null
}
