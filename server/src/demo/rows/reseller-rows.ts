import type { Account } from '../account.ts'
import { accountRows } from './account-rows.ts'
import { billRows } from './bill-rows.ts'
import { billsOf } from '../bills.ts'
import type { ResellerProfile } from '../profile.ts'
import type { Rows } from '../seed.queries.ts'
import { brandRow, catalogueRows, peopleRows, resellerRow } from './tenant-rows.ts'
import { transactionRows } from './transaction-rows.ts'

/** The tables after `reseller`, in an order that the foreign keys allow. */
export const TABLES_IN_ORDER = [
  'brand',
  'customer',
  'app_user',
  'user_customer',
  'service',
  'record_type',
  'extra_field_label',
  'agreement',
  'billing_period',
  'service_item',
  'bundle',
  'bundle_product',
  'data_usage_day',
  'invoice',
  'invoice_line',
  'invoice_tax',
  'opening_balance',
  'billing_transaction',
  'payment_fee_rule',
  'payment_adjustment',
] as const

/** All rows of one reseller except its pictures and usage records. */
export type ResellerRows = { readonly [T in (typeof TABLES_IN_ORDER)[number] | 'reseller']: Rows<T> }

/** All rows of one reseller, except its pictures and usage records. Inserts nothing. */
export const resellerRows = (profile: ResellerProfile, accounts: readonly Account[], passwordHash: string): ResellerRows => {
  const accountParts = accounts.map((account) => accountRows(account))
  const billParts = accounts.map((account) => {
    const bills = billsOf(account)
    return { ...billRows(account, bills), billing_transaction: transactionRows(account, bills) }
  })
  return {
    reseller: [resellerRow(profile)],
    brand: [brandRow(profile)],
    ...peopleRows(profile, accounts, passwordHash),
    ...catalogueRows(profile),
    agreement: accountParts.flatMap(({ agreement }) => agreement),
    billing_period: accountParts.flatMap(({ billing_period }) => billing_period),
    service_item: accountParts.flatMap(({ service_item }) => service_item),
    bundle: accountParts.flatMap(({ bundle }) => bundle),
    bundle_product: accountParts.flatMap(({ bundle_product }) => bundle_product),
    data_usage_day: accountParts.flatMap(({ data_usage_day }) => data_usage_day),
    invoice: billParts.flatMap(({ invoice }) => invoice),
    invoice_line: billParts.flatMap(({ invoice_line }) => invoice_line),
    invoice_tax: billParts.flatMap(({ invoice_tax }) => invoice_tax),
    opening_balance: billParts.flatMap(({ opening_balance }) => opening_balance),
    billing_transaction: billParts.flatMap(({ billing_transaction }) => billing_transaction),
    ...paymentRows(profile, accounts),
  }
}

/** The rows of the reseller's payment fees, and of what the first customer owes outside its invoices. */
const paymentRows = ({ id, currency, payment: { fees = [], adjustment } }: ResellerProfile, [first]: readonly Account[]) => ({
  payment_fee_rule: fees.map(({ line, percent, fixedMinor }) => ({ reseller_id: id, line, currency, percent, fixed_minor: fixedMinor })),
  payment_adjustment:
    adjustment === undefined || first === undefined
      ? []
      : [{ customer_id: first.id, currency, amount_minor: adjustment.amountMinor, description: adjustment.description }],
})
