import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { FileResponse } from '../../http/request-context.ts'
import { requireAccount } from '../../payments/accounts/accounts.ts'
import { LINK_CHANGED_TEXT } from '../../payments/engine/claim.ts'
import { openFrame } from '../../payments/returns/open-frame.ts'
import { findLinkDetails } from './invoice-payment.queries.ts'
import { requireShownTotal } from './link-totals.service.ts'
import {
  assertDue,
  requireLinkedInvoice,
  type InvoicePaymentDeps,
  type PublicRequest,
  transactAsCustomer,
} from './invoice-payment.service.ts'

/**
 * The HTML page in which the provider's own form takes the card that pays the invoice of a link. Nothing is charged yet.
 * @param shownTotal what the page around the frame shows
 * @throws ApiError 404 for an unknown link or where the provider has no such page; 409 when nothing is due, or another total than was
 * shown; 429 when it is asked too often
 */
export const openLinkFrame = async (
  deps: InvoicePaymentDeps,
  request: PublicRequest,
  payToken: string,
  shownTotal: string | undefined,
): Promise<FileResponse> => {
  deps.localLimiter.consume('linkReads', payToken, request.now)
  const link = await requireLinkedInvoice(request, payToken)
  const account = await requireAccount(deps.payments, link.resellerId)
  const transact = transactAsCustomer(deps, link)
  const details = await transact((db) => findLinkDetails(db, link))
  assertDue(details)
  const totalMinor = await requireShownTotal(transact, link, {
    details,
    provider: account.provider,
    isDebit: false,
    shownTotal,
    changedText: LINK_CHANGED_TEXT,
    now: request.now,
    requestInfo: request.requestInfo,
  })
  const { dueMinor, currency, number: invoiceNumber, hasReceipt, needsHolder, needsAddress } = details
  const amount = { minor: BigInt(totalMinor), currency }
  const address = needsAddress ? (['address'] as const) : []
  const requiresHolder = needsHolder || account.provider.entry.payForm?.needsHolder === true
  return openFrame(deps.payments, account, link, {
    purpose: {
      purpose: 'link',
      payToken,
      invoiceNumber,
      invoiceAmount: toDecimalText({ minor: BigInt(dueMinor), currency }),
      shownTotal: toDecimalText(amount),
    },
    kind: 'card',
    amount,
    currencySymbol: details.symbol,
    orderNumber: invoiceNumber,
    fields: ['name', ...(hasReceipt ? (['email'] as const) : []), ...address],
    requiredFields: [...(requiresHolder ? (['name'] as const) : []), ...address],
  })
}
