import { toDecimalText } from '@counterfoil/contract/kit/money'
import { notFound } from '../../kit/api-error.ts'
import { formatMoney } from '../../documents/pdf/print-format.ts'
import type { FileResponse } from '../../http/request-context.ts'
import { type Account, portalUrl } from '../accounts/accounts.ts'
import { assertCurrencyAccepted, chargeRulesOf } from '../accounts/chargeable.rules.ts'
import type { PaymentsDeps } from '../payments-deps.ts'
import type { FrameRequest } from '../providers/frames.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { frameDocument } from './frame-documents.ts'
import { createFrameReference } from './framed-method.ts'
import { type FramePurpose, signFrameState } from './frame-state.ts'
import { RETURN_PATH } from './payment-return.ts'

interface OpenFrame extends Pick<FrameRequest, 'kind' | 'amount' | 'orderNumber' | 'fields' | 'requiredFields'> {
  readonly purpose: FramePurpose
  /** By which amounts are shown to this payer; none where a method is stored. */
  readonly currencySymbol?: string
}

/**
 * A document with the frame of the provider's own page. Opening it claims nothing and moves nothing: what is entered comes back to an
 * address of the server, with what it was entered for.
 * @throws ApiError 404 where the provider has no such page; 409 for a currency that it cannot charge
 */
export const openFrame = async (
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerScope,
  { purpose, kind, amount, currencySymbol = '', ...frame }: OpenFrame,
): Promise<FileResponse> => {
  const { provider, context } = account
  if (provider.frames === undefined) throw notFound()
  if (amount !== null) assertCurrencyAccepted(amount.currency, chargeRulesOf(account))
  const { resellerId, customerId } = payer
  const reference = createFrameReference(account)
  const { origin } = new URL(await portalUrl(deps, payer, RETURN_PATH))
  const state = signFrameState(deps.keys, { ...purpose, entryRef: reference, kind, resellerId, customerId, origin }, deps.clock())
  const src = provider.frames.url(context, {
    ...frame,
    reference,
    kind,
    amount,
    buttonText: amount === null ? 'Save' : `Pay ${formatMoney(toDecimalText(amount), { currencySymbol })}`,
    returnUrl: `${origin}${RETURN_PATH}${state}`,
  })
  return { contentType: 'text/html; charset=utf-8', body: Buffer.from(frameDocument('Payment details', src)) }
}
