import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { currencyDigits, type Money, parseMoney, toDecimalText } from '@counterfoil/contract/kit/money'
import { type FeeLine, INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { ApiError, notFound } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import { HAS_CHANGED_TEXT, hasChanged } from '../../payments/engine/claim.ts'
import { openFrame } from '../../payments/returns/open-frame.ts'
import { readFormRules, findIntentHead } from './bulk-payment.queries.ts'
import { type BulkPaymentDeps, readIntent, requireBulkAccount, shownMinorOf } from './bulk-payment.service.ts'

/**
 * The HTML page in which the provider's own form takes the card that pays an intent. Nothing is charged yet.
 * @param shownTotal what the page around the frame shows
 * @throws ApiError 404 without such an intent; 409 when nothing of it can be paid now, or it comes to something else than was shown
 */
export const openBulkFrame = async (
  deps: BulkPaymentDeps,
  request: CustomerRequestContext,
  sessionId: string,
  shownTotal: string | undefined,
): Promise<FileResponse> => {
  const account = await requireBulkAccount(deps, request)
  const { scope, actor, transact } = request
  const { head, rules } = await transact(async (db) => ({
    head: await findIntentHead(db, scope, { sessionId }),
    rules: await readFormRules(db, scope),
  }))
  if (head === undefined) throw notFound()
  const intent = await readIntent(deps, request, head.id)
  if (intent.status !== INTENT_STATUS.open && intent.status !== INTENT_STATUS.failed)
    throw new ApiError('payment_conflict', HAS_CHANGED_TEXT, { userMessage: HAS_CHANGED_TEXT })
  const amount = cardTotal(intent)
  const shownMinor = shownMinorOf(head, false, shownTotal)
  if (shownMinor !== null && BigInt(shownMinor) !== amount.minor) throw hasChanged(HAS_CHANGED_TEXT)
  const address = rules.needsAddress ? (['address'] as const) : []
  return openFrame(deps.payments, account, scope, {
    purpose: { purpose: 'bulk', sessionId: actor.sessionId, intentId: intent.id, shownTotal: toDecimalText(amount) },
    kind: 'card',
    amount,
    currencySymbol: intent.currencySymbol.symbol,
    orderNumber: intent.invoices[0]?.invoiceNumber ?? '',
    fields: ['name', ...(rules.hasReceipt ? (['email'] as const) : []), ...address],
    requiredFields: ['name', ...address],
  })
}

const DEBIT_FEE: FeeLine = 'DIRECT_DEBIT_FEE'

/** What an intent comes to when a card pays it: its invoices and adjustments with the card's fee, without that of direct debit. */
const cardTotal = ({ invoices, adjustmentsTotal, currency }: PaymentIntent): Money => {
  const lines = invoices.filter(({ invoiceNumber }) => invoiceNumber !== DEBIT_FEE)
  const total = lines.reduce((sum, { invoiceAmount }) => sum + invoiceAmount, adjustmentsTotal)
  return parseMoney(total.toFixed(currencyDigits(currency)), currency)
}
