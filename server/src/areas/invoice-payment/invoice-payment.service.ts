import type { ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import { randomUUID } from 'node:crypto'
import type { InvoicePayment, invoicePayment } from '@counterfoil/contract/invoice-payment'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { addMs } from '../../kit/clock.ts'
import { invalidInput, notFound, ApiError } from '../../kit/api-error.ts'
import type { RequestInfo, Transact } from '../../http/request-context.ts'
import { findAccount, portalUrl, requireAccount } from '../../payments/accounts/accounts.ts'
import type { AttemptStatus } from '../../payments/engine/attempt.ts'
import { chargeIntent } from '../../payments/engine/charge.ts'
import { ALREADY_PAID_TEXT, HAS_CHANGED_TEXT } from '../../payments/engine/claim.ts'
import { findAttemptBySubmission } from '../../payments/engine/claim.queries.ts'
import { limitDeclines } from '../../payments/engine/decline-limit.ts'
import { isSameAmount } from '../../payments/engine/fees.rules.ts'
import { type LinkedInvoice, findInvoiceByPayToken } from '../../payments/payment-link.queries.ts'
import { lookUpAttempt } from '../../payments/engine/look-up.ts'
import { toPayResponse } from '../../payments/pay-response.ts'
import { cardFingerprint, parseReceiptEmail, parseNewCard } from '../../payments/methods/card-form.rules.ts'
import { waitForOutcome } from '../../payments/engine/wait-for-outcome.ts'
import { queryAsReseller, type PaymentsDeps } from '../../payments/payments-deps.ts'
import { type Submission, submissionFromHeader } from '../../payments/engine/submission.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { newSecret } from '../../session/tokens.ts'
import { cardFeeRules, insertLinkIntent, lastAttempt, type LinkFacts, linkFacts } from './invoice-payment.queries.ts'
import { invoicePaymentOf } from './invoice-payment.rules.ts'

export interface InvoicePaymentDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
}

/** What a call without a session knows of who makes it. */
interface PublicAsk {
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly transactAsSystem: Transact
}

const linked = async ({ transactAsSystem }: PublicAsk, token: string): Promise<LinkedInvoice> => {
  const found = token.length < 22 ? undefined : await transactAsSystem((db) => findInvoiceByPayToken(db, token))
  if (found === undefined) throw notFound()
  return found
}

/** One transaction over the rows of the link's customer. */
const asCustomer =
  ({ payments }: InvoicePaymentDeps, { customerId, resellerId }: LinkedInvoice): Transact =>
  (work) =>
    payments.store.transact({ role: 'counterfoil_app', customerId, resellerId }, work)

/**
 * What the public page of an invoice shows. A payment that was still open is looked up first, so that whoever comes back from
 * confirming it sees what became of it.
 * @throws Refusal 404 for a link that stands for nothing
 */
export const paymentDetails = async (deps: InvoicePaymentDeps, ask: PublicAsk, token: string): Promise<InvoicePayment> => {
  const link = await linked(ask, token)
  const open = await asCustomer(deps, link)((db) => lastAttempt(db, link))
  if (open?.status === 'action' || open?.status === 'unknown') await lookUpAttempt(deps.payments, { ...link, id: open.id }, 'return')
  const account = await findAccount(deps.payments, link.resellerId)
  return asCustomer(
    deps,
    link,
  )(async (db) => {
    const last = await lastAttempt(db, link)
    return invoicePaymentOf({
      token,
      customerId: link.customerId,
      facts: await linkFacts(db, link),
      rules: await cardFeeRules(db, link),
      last: last === undefined ? undefined : { ...last, status: last.status as AttemptStatus },
      isConfigured: account !== null,
      splitCardFields: deps.payments.config.splitCardResellers.has(link.resellerId),
      now: ask.now,
    })
  })
}

type PayBody = RequestInput<typeof invoicePayment.pay>['body']

const LINK_MS = 3_600_000

/**
 * Pays one invoice by its link. The amount is what is due of it; the one that the page shows is compared, never used.
 * @throws Refusal 403 where payments are off; 409 when it is paid, being paid, or not what the page showed; else as payAnswer says
 */
export const payInvoice = async (
  deps: InvoicePaymentDeps,
  ask: PublicAsk,
  body: PayBody,
): Promise<ResponseBody<typeof invoicePayment.pay>> => {
  const link = await linked(ask, body.uid)
  const account = await requireAccount(deps.payments, link.resellerId)
  const what = `invoice ${link.customerId} ${link.invoiceId}`
  const submission = submissionFromHeader(deps.payments.keys, what, ask.requestInfo.idempotencyKey, cardFingerprint(body))
  const repeated = submission === null ? null : await repeatOf(deps, link, submission)
  if (repeated !== null) return repeated
  const facts = await asCustomer(deps, link)((db) => linkFacts(db, link))
  refuseUnpayable(facts, body)
  const card = parseNewCard(body, { ...facts, takesRawCards: account.takesRawCards, now: ask.now })
  const receiptEmail = parseReceiptEmail(body.email)
  const returnUrl = await portalUrl(deps.payments, link, `/pay/${body.uid}`)
  const { requestInfo, now } = ask
  const intent = { id: randomUUID(), sessionId: newSecret(), currency: facts.currency, amountMinor: facts.dueMinor }
  await asCustomer(deps, link)((db) => insertLinkIntent(db, link, { ...intent, createdAt: now, expiresAt: addMs(now, LINK_MS) }))
  return limitDeclines({ keys: deps.payments.keys, limits: deps.limits }, ask, requestInfo.address, async () =>
    toPayResponse(
      deps.payments.keys,
      await chargeIntent(deps.payments, account, link, {
        intentId: intent.id,
        source: { card },
        methodId: null,
        methodType: 'card',
        isDebit: false,
        submission,
        receiptEmail,
        returnUrl: () => returnUrl,
        client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
      }),
    ),
  )
}

/** What became of the payment that was submitted with this key before. */
const repeatOf = async (
  { payments }: InvoicePaymentDeps,
  link: LinkedInvoice,
  submission: Submission,
): Promise<ResponseBody<typeof invoicePayment.pay> | null> => {
  const id = await queryAsReseller(payments, link.resellerId, (db) => findAttemptBySubmission(db, link.customerId, submission))
  return id === undefined ? null : toPayResponse(payments.keys, await waitForOutcome(payments, { ...link, id }))
}

const CREDITED = 'The invoice has been credited. No further payments required.'
const NOTHING_DUE = 'No payment is required.'

const refuseUnpayable = ({ status, dueMinor, currency, number }: LinkFacts, body: PayBody): void => {
  if (status === INVOICE_STATUS.paid) throw conflict('already_paid', ALREADY_PAID_TEXT)
  if (status === INVOICE_STATUS.credited) throw conflict('already_paid', CREDITED)
  if (status === INVOICE_STATUS.inCollection) throw conflict('payment_in_progress', PROCESSING_TEXT)
  if (dueMinor <= 0) throw conflict('already_paid', NOTHING_DUE)
  if (body.invoiceNumber !== number) throw invalidInput('body.invoiceNumber', 'This is not the number of the invoice.')
  if (!isSameAmount(body.invoiceAmount, dueMinor, currency)) throw conflict('amount_changed', HAS_CHANGED_TEXT)
}

const conflict = (code: ErrorCode, words: string): ApiError => new ApiError(code, words, { userMessage: words })
