import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { FileResponse } from '../../http/request-context.ts'
import { requireAccount } from '../../payments/accounts/accounts.ts'
import { applicableFeeRules, paymentFee } from '../../payments/engine/fees.rules.ts'
import { openFrame } from '../../payments/returns/open-frame.ts'
import { findLinkDetails, listLinkFeeRules } from './invoice-payment.queries.ts'
import { assertDue, findLinkedInvoice, type InvoicePaymentDeps, type PublicRequest, transactAsCustomer } from './invoice-payment.service.ts'

/**
 * Opens the provider's own page for the card that pays the invoice of a payment link.
 * @throws ApiError 404 for an unknown link or where the provider has no such page; 409 when nothing is due; 429 when it is asked too often
 */
export const openLinkFrame = async (deps: InvoicePaymentDeps, request: PublicRequest, payToken: string): Promise<FileResponse> => {
  deps.localLimiter.consume('paypage', payToken, request.now)
  const link = await findLinkedInvoice(request, payToken)
  const account = await requireAccount(deps.payments, link.resellerId)
  const { details, rules } = await transactAsCustomer(
    deps,
    link,
  )(async (db) => ({ details: await findLinkDetails(db, link), rules: await listLinkFeeRules(db, link) }))
  assertDue(details)
  const { dueMinor, currency, number: invoiceNumber, hasReceipt, needsHolder, needsAddress } = details
  const fee = paymentFee(dueMinor, currency, false, applicableFeeRules(rules, account.provider))?.minor ?? 0
  const address = needsAddress ? (['address'] as const) : []
  const requiresHolder = needsHolder || account.provider.payForm?.needsHolder === true
  return openFrame(deps.payments, account, link, {
    purpose: { purpose: 'link', payToken, invoiceNumber, invoiceAmount: toDecimalText({ minor: BigInt(dueMinor), currency }) },
    kind: 'card',
    amount: { minor: BigInt(dueMinor + fee), currency },
    orderNumber: invoiceNumber,
    asks: ['name', ...(hasReceipt ? (['email'] as const) : []), ...address],
    requires: [...(requiresHolder ? (['name'] as const) : []), ...address],
  })
}
