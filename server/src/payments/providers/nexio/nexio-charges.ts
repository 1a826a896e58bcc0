import { toJsonNumber } from '@counterfoil/contract/kit/money'
import type { ChargeOrder, ChargeResult } from '../provider.ts'
import type { KnownMethod, MethodDetails, NewCard, StoredMethod } from '../method.ts'
import { callNexio, merchantField, type NexioContext, resultWithoutAnswer } from './nexio-client.ts'
import { decodeCharge } from './nexio-codec.ts'
import { toNexioCustomer } from './nexio-customer.ts'
import { removeToken } from './nexio-methods.ts'
import { isStored, readCard, storeSealed, type VaultResult } from './nexio-vault.ts'

const MAX_INVOICE_TEXT = 100

/** Whether this is one of Nexio's pages, or one of its stand-in at `baseUrl`. */
export const isNexioUrl = (address: string, baseUrl: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return origin === new URL(baseUrl).origin || (protocol === 'https:' && /(^|\.)nexiopay(sandbox)?\.com$/.test(hostname))
}

/** Sends the one request that moves money. It is never sent again. */
const sendCharge = async (context: NexioContext, order: ChargeOrder, path: string, body: object): Promise<ChargeResult> => {
  try {
    const answer = await callNexio(context, { method: 'POST', path, body: { ...merchantField(context), isAuthOnly: false, ...body } })
    return decodeCharge(answer, order, (url) => isNexioUrl(url, context.baseUrl))
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}

const toData = (order: ChargeOrder, details: NewCard | MethodDetails): object => {
  const invoice = order.invoiceNumbers.join(', ').slice(0, MAX_INVOICE_TEXT)
  return {
    amount: toJsonNumber(order.amount),
    currency: order.amount.currency,
    description: `${order.legalName}: ${invoice}`,
    customer: { ...toNexioCustomer(details), orderNumber: order.ourRef, customerRef: String(order.customerId), invoice },
  }
}

/** A consent given now, one given before and used by the payer, or one used by the reseller. */
type PaymentType = 'initialUnscheduled' | 'unscheduledCit' | 'unscheduledMit'

/** How a card is charged; only a payer who is present can confirm at the bank. */
const toOptions = ({ returnUrl }: ChargeOrder, paymentType: PaymentType): object =>
  returnUrl === null ? { paymentType, check3ds: false } : { paymentType, check3ds: true, customerRedirectUrl: returnUrl }

export const chargeStoredMethod = async (context: NexioContext, order: ChargeOrder, method: KnownMethod): Promise<ChargeResult> => {
  const { token, kind, details } = method
  await order.saveReference(order.ourRef, toSummary(details))
  if (kind === 'bank') return sendCharge(context, order, '/pay/v3/processECheck', { tokenex: { token }, data: toData(order, details) })
  return sendCharge(context, order, '/pay/v3/process', {
    tokenex: { token },
    ...(details.name === undefined ? {} : { card: { cardHolderName: details.name } }),
    data: toData(order, details),
    processingOptions: toOptions(order, order.returnUrl === null ? 'unscheduledMit' : 'unscheduledCit'),
  })
}

const toSummary = ({ brand, last4, bankCode }: MethodDetails): MethodDetails => ({
  ...(brand === undefined ? {} : { brand }),
  ...(last4 === undefined ? {} : { last4 }),
  ...(bankCode === undefined ? {} : { bankCode }),
})

/** Charges a card that is not to be kept: Nexio takes it in its vault first, and it is removed from there when the outcome is known. */
export const chargeNewCard = async (context: NexioContext, order: ChargeOrder, input: NewCard): Promise<ChargeResult> => {
  const saved = await saveForCharge(context, input)
  if (!isStored(saved)) return saved.state === 'unknown' ? { ...saved, state: 'not_sent' } : saved
  let result: ChargeResult | undefined
  try {
    await order.saveReference(order.ourRef, toSummary(saved.details))
    result = await sendCharge(context, order, '/pay/v3/process', newCardCharge(order, input, saved))
    return result
  } finally {
    if (result?.state !== 'unknown' && result?.state !== 'requires_action') await removeToken(context, saved.token).catch(() => undefined)
  }
}

const saveForCharge = (context: NexioContext, input: NewCard): Promise<VaultResult> => {
  const { entry } = input
  if (entry.kind === 'token') return readCard(context, entry.token)
  if (entry.kind === 'sealed') return storeSealed(context, input)
  throw new Error('nexio takes tokens and encrypted numbers alone')
}

const newCardCharge = (order: ChargeOrder, input: NewCard, { token, details }: StoredMethod): object => {
  const securityCode = input.entry.kind === 'sealed' ? input.entry.sealed.securityCode?.open() : undefined
  const cardHolderName = input.holder ?? details.name
  return {
    tokenex: { token },
    card: { ...(cardHolderName === undefined ? {} : { cardHolderName }), ...(securityCode === undefined ? {} : { securityCode }) },
    data: toData(order, { ...details, ...input }),
    processingOptions: { ...toOptions(order, 'initialUnscheduled'), ...(securityCode === undefined ? {} : { verifyCvc: true }) },
  }
}
