import { auditSupport } from '../../audit/support-audit.ts'
import { ApiError } from '../../kit/api-error.ts'
import { asCustomer } from '../../http/register-routes.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import type { RequestInfo } from '../../session/request-info.ts'
import { requireAccount } from '../../payments/accounts/accounts.ts'
import type { FrameReturn } from '../../payments/providers/frames.ts'
import { returnPage, toFrameMessage } from '../../payments/returns/frame-documents.ts'
import { type FrameState, readFrameState } from '../../payments/returns/frame-state.ts'
import { RETURN_PATH } from '../../payments/returns/payment-return.ts'
import type { AccessCheck } from '../../session/actor.ts'
import { payIntent } from '../bulk-payment/bulk-payment.service.ts'
import { type InvoicePaymentDeps, payInvoice } from '../invoice-payment/invoice-payment.service.ts'
import { storeFramedMethod } from '../payment-methods/method-frame.service.ts'

export interface FrameReturnDeps extends InvoicePaymentDeps {
  readonly accessCheck: AccessCheck
}

/** What the screen around a frame gets when a payment was made or is on its way: it reads the payment again. */
const DONE = '000'
const FAILED_TEXT = 'Our server returned error, try again later'
const MAX_FIELD_LENGTH = 200

/**
 * Does what a frame was opened for, once its page is done: stores the method, or charges. What the page has posted decides nothing about
 * money; a refusal alone is believed, because nothing is charged then.
 * @returns the HTML page that tells the screen around the frame how it went, failures too
 * @throws ApiError 400 for a state that this installation has not signed, or an hour ago
 */
export const finishFrame = async (
  deps: FrameReturnDeps,
  requestInfo: RequestInfo,
  signed: string,
  body: unknown,
): Promise<{ readonly html: string; readonly csp: string }> => {
  const { keys, clock, log } = deps.payments
  const state = readFrameState(keys, signed, clock())
  if (state === undefined) throw new ApiError('unreadable_request', 'This address is not complete. Please open the payment again.')
  try {
    const { message, receiptEmail } = await completeFrame(deps, requestInfo, { signed, state, fields: toFields(body) })
    return returnPage(toFrameMessage(message), state.origin, receiptEmail)
  } catch (error) {
    if (error instanceof ApiError) return returnPage(toFrameMessage(error.options.userMessage ?? error.message), state.origin)
    log.error({ err: error, resellerId: state.resellerId, purpose: state.purpose }, 'what was entered in a frame could not be used')
    return returnPage(FAILED_TEXT, state.origin)
  }
}

/** The fields of a posted form, without repeated and overlong ones, which are dropped silently. */
const toFields = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof body === 'object' && body !== null ? body : {}).flatMap(([name, value]) =>
      typeof value === 'string' && value.length <= MAX_FIELD_LENGTH ? [[name, value]] : [],
    ),
  )

interface Entered {
  readonly signed: string
  readonly state: FrameState
  readonly fields: Readonly<Record<string, string>>
}

/** What the frame's last page tells the parent page. */
interface Completed {
  readonly message: string
  readonly receiptEmail?: string | undefined
}

/**
 * Stores the method, or charges, as the signed state says; a refusal that the page has posted ends it.
 * @returns what the screen around the frame is told
 */
const completeFrame = async (deps: FrameReturnDeps, requestInfo: RequestInfo, { signed, state, fields }: Entered): Promise<Completed> => {
  const { provider } = await requireAccount(deps.payments, state.resellerId)
  const posted = provider.frames?.parseReturn(fields)
  if (posted === undefined) return { message: FAILED_TEXT }
  if (posted.failure !== null) return { message: posted.failure }
  if (state.purpose === 'link') {
    const { payToken: uid, invoiceNumber, invoiceAmount } = state
    await payInvoice(deps, publicRequestOf(deps, requestInfo), {
      uid,
      invoiceNumber,
      invoiceAmount,
      cardToken: signed,
      ...toPayerFields(posted),
    })
    return { message: DONE, receiptEmail: posted.email }
  }
  const request = await customerRequestOf(deps, requestInfo, state)
  if (state.purpose === 'bulk') {
    await payIntent(deps, request, { uid: state.intentId, cardToken: signed, ...toPayerFields(posted) })
    return { message: DONE }
  }
  await storeFramedMethod(deps, request, provider.storing.pathFamily, signed, posted)
  return { message: posted.code }
}

/** The payer's details that a frame has returned, as fields of a payment request. Missing details are left out. */
const toPayerFields = ({ cardHolder, email, billingAddress }: FrameReturn) => ({
  ...(cardHolder === undefined ? {} : { cardHolder }),
  ...(email === undefined ? {} : { email }),
  ...(billingAddress === undefined ? {} : { billingAddress }),
})

/** The context of a request without a session. */
const publicRequestOf = ({ payments }: FrameReturnDeps, requestInfo: RequestInfo) => ({
  now: payments.clock(),
  requestInfo,
  transactAsSystem: ((work, options) =>
    payments.store.transact({ role: 'counterfoil_system' }, work, options)) as CustomerRequestContext['transactAsSystem'],
})

/**
 * The context of a request of the session that opened the frame. Support's requests go to the audit log.
 * @throws ApiError when the session has ended, or may no longer act for the customer
 */
const customerRequestOf = async (
  deps: FrameReturnDeps,
  requestInfo: RequestInfo,
  { sessionId, customerId }: Exclude<FrameState, { purpose: 'link' }>,
): Promise<CustomerRequestContext> => {
  const { store, keys } = deps.payments
  const request = publicRequestOf(deps, requestInfo)
  const { actor, scope } = await deps.accessCheck.authenticateSession({ sessionId, customerId })
  if (actor.supporter !== null)
    await auditSupport(keys, 'asked', { ...request, actor, customerId, address: requestInfo.address, call: `POST ${RETURN_PATH}` })
  return {
    ...request,
    actor,
    scope,
    hasLeft: () => false, // a payment goes on without its browser
    whenAnswered: () => undefined, // and holds nothing for its answer
    ...asCustomer(store, scope),
  }
}
