import { randomUUID } from 'node:crypto'
import type { AppContext } from '../../src/context.ts'
import { addAccount, insertRow } from './people.ts'

interface PayingCustomer {
  readonly id: number
  readonly resellerId: number
  /** An unpaid invoice. */
  readonly invoice: number
  readonly text: (column: string) => string
}

/** Inserts a stored card, a settled adjustment and two payments, one with its whole history, with marked texts; returns their ids. */
export const addTenantPayment = async (
  context: AppContext,
  { id, resellerId, invoice, text }: PayingCustomer,
): Promise<{ card: string; intent: string; paid: string }> => {
  const own = { customer_id: id }
  const into: <T extends Parameters<typeof insertRow>[2]>(table: T, row: Parameters<typeof insertRow<T>>[3]) => Promise<number> = (
    table,
    row,
  ) => insertRow(context, resellerId, table, row)
  const at = new Date('2026-11-19T12:00:00Z')
  const [card, intent, attempt, paid] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const account_id = await addAccount(context, resellerId, 'stripe')
  await into('payment_provider_customer', { ...own, account_id, provider_customer_id: text('owner') })
  await into('payment_method', {
    ...own,
    id: card,
    account_id,
    token: text('card-token'),
    kind: 'card',
    type: 'card',
    shown: JSON.stringify({ last4: '4242', name: text('holder') }),
    is_default: true,
    added_at: at,
    removed_at: null,
  })
  const settled = {
    external_id: text('adjustment-id'),
    currency: 'AUD',
    amount_minor: 500,
    description: text('adjustment'),
    settled_at: at,
  }
  const adjustment_id = await into('payment_adjustment', { ...own, ...settled })
  const due = { external_id: text('due-adjustment-id'), description: text('due-adjustment'), settled_at: null }
  await into('payment_adjustment', { ...own, ...settled, ...due })
  const intentRow = {
    ...own,
    id: intent,
    reseller_id: resellerId,
    session_id: text('session'),
    channel: 'bulk',
    currency: 'AUD',
    created_by: null,
    created_at: at,
    expires_at: new Date('2026-11-19T13:00:00Z'),
  } as const
  await into('payment_intent', intentRow)
  const item = { ...own, item_no: 1, invoice_id: invoice, adjustment_id: null, amount_minor: 11_000 }
  await into('payment_intent_item', { ...item, intent_id: intent })
  const shown = { ...own, invoice_id: invoice, due_minor: 11_000, card_total_minor: 11_000, bank_total_minor: 11_000, shown_at: at }
  // Written by whoever reads the page of a payment link, as the customer.
  await context.store.transact({ role: 'counterfoil_app', customerId: id, resellerId }, (db) =>
    db.insertInto('payment_link_total').values(shown).execute(),
  )
  const attemptRow = {
    ...own,
    id: attempt,
    merchant_reference: attempt,
    reseller_id: resellerId,
    intent_id: intent,
    provider: 'stripe',
    account_id,
    submit_key: null,
    method_fingerprint: null,
    is_debit: false,
    method_id: card,
    method_type: 'card',
    currency: 'AUD',
    amount_minor: 11_000,
    fee_line: null,
    fee_minor: 0,
    status: 'declined',
    provider_ref: text('payment'),
    redirect_url: null,
    decline_reason: 'card_declined',
    provider_code: text('code'),
    user_message: text('declined'),
    receipt_email: text('receipt'),
    created_at: at,
    sent_at: at,
    resolved_at: at,
    resolved_by: 'answer',
    next_check_at: null,
    lease_until: null,
  } as const
  await into('payment_attempt', attemptRow)
  const succeededRow = {
    id: paid,
    merchant_reference: paid,
    intent_id: paid,
    status: 'succeeded',
    provider_ref: text('payment-paid'),
    user_message: null,
  }
  await into('payment_intent', { ...intentRow, id: paid, session_id: text('session-paid') })
  await into('payment_attempt', { ...attemptRow, ...succeededRow, decline_reason: null, provider_code: null, receipt_email: null })
  await into('payment_attempt_item', { ...item, attempt_id: paid, live: false })
  const money = { kind: 'pay', target: 'invoice', invoice_id: invoice, adjustment_id: null, amount_minor: 11_000, recorded_at: at } as const
  await into('payment_allocation', { ...own, attempt_id: paid, entry_no: 1, ...money })
  const entry = { ...own, attempt_id: attempt }
  await into('payment_attempt_item', { ...entry, item_no: 1, invoice_id: null, adjustment_id, amount_minor: 500, live: false })
  const allocationRow = { kind: 'pay', target: 'adjustment', invoice_id: null, adjustment_id, amount_minor: 500, recorded_at: at } as const
  await into('payment_allocation', { ...entry, entry_no: 1, ...allocationRow })
  await into('payment_attempt_event', {
    ...entry,
    entry_no: 1,
    from_status: null,
    to_status: 'created',
    source: 'answer',
    note: text('note'),
    at,
  })
  const payload = JSON.stringify({ note: text('event') })
  await into('payment_outbox', {
    ...own,
    reseller_id: resellerId,
    dedupe_key: text('event-key'),
    kind: 'payment.declined',
    payload,
    created_at: at,
    done_at: null,
  })
  return { card, intent, paid }
}
