import { toJsonNumber } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import type { KnownMethod, MethodDetails, NewCard, StoredMethod } from '../method.ts'
import { merchantField, type NexioContext, resultWithoutAnswer, sendCharge } from './nexio-client.ts'
import { decodeCharge } from './nexio-codec.ts'
import { toNexioCustomer } from './nexio-customer.ts'
import { removeToken } from './nexio-methods.ts'
import { isStored, readCard, storeSealed, type VaultResult } from './nexio-vault.ts'

const MAX_INVOICE_TEXT = 100

/** Whether a URL is a page of Nexio's, or a page of the server at `baseUrl`, such as the sandbox. */
export const isNexioUrl = (address: string, baseUrl: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return origin === new URL(baseUrl).origin || (protocol === 'https:' && /(^|\.)nexiopay(sandbox)?\.com$/.test(hostname))
}

/** A charge that `submit` sends, and nothing sends again. `providerRef` is our reference until Nexio's answer has its own id. */
const prepareCharge = (
  context: NexioContext,
  order: ChargeOrder,
  { path, body, details }: { readonly path: Parameters<typeof sendCharge>[2]; readonly body: object; readonly details: MethodDetails },
): PreparedCharge => ({
  providerRef: order.merchantReference,
  method: toSummary(details),
  submit: async (permit) => {
    try {
      const answer = await sendCharge(context, permit, path, { ...merchantField(context), isAuthOnly: false, ...body })
      return decodeCharge(answer, order, (url) => isNexioUrl(url, context.baseUrl))
    } catch (error) {
      return resultWithoutAnswer(error)
    }
  },
})

/** What a charge request says of the payment: amount, payer, and our reference as the order number. */
const toData = (order: ChargeOrder, details: NewCard | MethodDetails): object => {
  const invoice = order.invoiceNumbers.join(', ').slice(0, MAX_INVOICE_TEXT)
  return {
    amount: toJsonNumber(order.amount),
    currency: order.amount.currency,
    description: `${order.legalName}: ${invoice}`,
    customer: { ...toNexioCustomer(details), orderNumber: order.merchantReference, customerRef: String(order.customerId), invoice },
  }
}

/** A consent given now, one given before and used by the payer, or one used by the reseller. */
type PaymentType = 'initialUnscheduled' | 'unscheduledCit' | 'unscheduledMit'

/**
 * The processing options of a card's charge: only with a return URL, so with a payer who is present, may the bank ask for a confirmation.
 */
const toOptions = ({ returnUrl }: ChargeOrder, paymentType: PaymentType): object =>
  returnUrl === null ? { paymentType, check3ds: false } : { paymentType, check3ds: true, customerRedirectUrl: returnUrl }

/**
 * Prepares the charge of a stored card or bank account, for which nothing is sent before `submit`. Without a return URL the reseller pays
 * with an earlier consent, else the payer who is present.
 */
export const prepareStoredMethodCharge = async (
  context: NexioContext,
  order: ChargeOrder,
  method: KnownMethod,
): Promise<PreparedCharge> => {
  const { token, kind, details } = method
  const body = { tokenex: { token }, data: toData(order, details) }
  if (kind === 'bank') return prepareCharge(context, order, { path: '/pay/v3/processECheck', body, details })
  const ofCard = {
    ...(details.name === undefined ? {} : { card: { cardHolderName: details.name } }),
    processingOptions: toOptions(order, order.returnUrl === null ? 'unscheduledMit' : 'unscheduledCit'),
  }
  return prepareCharge(context, order, { path: '/pay/v3/process', body: { ...body, ...ofCard }, details })
}

/** What may be shown of a method: brand, last four digits, bank code. */
const toSummary = ({ brand, last4, bankCode }: MethodDetails): MethodDetails => ({
  ...(brand === undefined ? {} : { brand }),
  ...(last4 === undefined ? {} : { last4 }),
  ...(bankCode === undefined ? {} : { bankCode }),
})

/** Prepares the charge of a card that is not to be kept: Nexio takes it in its vault first, and it is removed when the outcome is known. */
export const prepareNewCardCharge = async (
  context: NexioContext,
  order: ChargeOrder,
  input: NewCard,
): Promise<PreparedCharge | NotPrepared> => {
  const saved = await saveForCharge(context, input)
  if (!isStored(saved)) return saved.state === 'unknown' ? { ...saved, state: 'not_sent' } : saved
  const { details, token } = saved
  const charge = prepareCharge(context, order, { path: '/pay/v3/process', body: newCardCharge(order, input, saved), details })
  const discard = (): Promise<unknown> => removeToken(context, token)
  return {
    ...charge,
    submit: async (permit) => {
      const result = await charge.submit(permit)
      if (!NEEDS_CARD.has(result.state)) await discard().catch(() => undefined)
      return result
    },
    discard,
  }
}

/** The states in which the card is still needed, or removed by whoever prepared it. */
const NEEDS_CARD: ReadonlySet<ChargeResult['state']> = new Set(['unknown', 'requires_action', 'not_sent'])

/**
 * The card in Nexio's vault that is to be charged: one that Nexio's own page has stored there, or the encrypted one, which is stored now.
 */
const saveForCharge = async (context: NexioContext, input: NewCard): Promise<VaultResult> => {
  const { typedMethod } = input
  if (typedMethod.kind === 'token') return readCard(context, typedMethod.token)
  if (typedMethod.kind === 'sealed') return storeSealed(context, input)
  return declineTypedMethod('unreadable')
}

/**
 * The body that charges a card in the vault once; what the payer typed goes before what the vault knows. A typed security code is verified.
 */
const newCardCharge = (order: ChargeOrder, input: NewCard, { token, details }: StoredMethod): object => {
  const securityCode = input.typedMethod.kind === 'sealed' ? input.typedMethod.sealed.securityCode?.open() : undefined
  const cardHolderName = input.holder ?? details.name
  return {
    tokenex: { token },
    card: { ...(cardHolderName === undefined ? {} : { cardHolderName }), ...(securityCode === undefined ? {} : { securityCode }) },
    data: toData(order, { ...details, ...input }),
    processingOptions: { ...toOptions(order, 'initialUnscheduled'), ...(securityCode === undefined ? {} : { verifyCvc: true }) },
  }
}
