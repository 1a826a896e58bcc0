import type { PaymentResult } from '@counterfoil/contract/kit/payments/pay-form'
import { INTENT_STATUS, UNANSWERED_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useCallback, useState } from 'react'
import { ShownError } from '../../api/api-error.ts'
import { NAVIGATING, type Submission, useSubmit } from '../../ui/form/use-submit.ts'
import { broadcastPaid } from './payment-broadcast.ts'
import { GENERIC_ERROR, hasServerAnswered, failedText, isDefiniteFailure, methodErrorText } from './payment-error.ts'
import { safeRedirect } from './safe-redirect.ts'
import { endPayment, startPayment } from './sent-payment.ts'
import { ASK_INTERVAL_MS, useAskAgain } from './use-ask-again.ts'

/** How the last payment of an invoice or an intent stands, as the server says. */
export interface PaymentStanding {
  /** One of INTENT_STATUS. */
  readonly status: number
  /** Why it failed; null when it did not. */
  readonly error: string | null
  readonly lastPaymentId: string | null
}

interface PaymentOutcomeOptions {
  /** Identifies what is being paid. */
  readonly subject: string
  /** The last payment as the screen knows it. */
  readonly lastPaymentId: string | null
  /** Asks the server how the payment stands, and shows that; null without an answer. */
  readonly readStanding: () => Promise<PaymentStanding | null>
  /** The address of the provider's script, see safeRedirect. */
  readonly scriptUrl?: string | null
  /** Shows what the server has answered. */
  readonly onAnswer?: (result: PaymentResult) => void
  /** Called before the browser leaves for the bank. */
  readonly onRedirect?: (result: PaymentResult) => void
  /** What can be done after a declined payment. */
  readonly advice?: string
  /** See useSubmit. */
  readonly holdMs?: number
  readonly initialError?: string | null
}

/** Sends a payment with the headers that name it. */
type SendPayment = (headers: { 'Idempotency-Key': string }) => Promise<PaymentResult>

export interface PaymentOutcome extends Omit<Submission, 'submit' | 'showError'> {
  /** Nobody has answered what became of the payment, and the server is asked again and again. */
  readonly isUnanswered: boolean
  /** What the button says instead while it is busy. */
  readonly busyText: string
  /** What to say beside the button, which stays as it is; empty without anything. */
  readonly notice: string
  /** Sends a payment once. Errors of `prepare`, which is called first, are shown as well. */
  readonly pay: (prepare: () => Promise<SendPayment>) => void
  /**
   * Finds out what became of a payment that was sent by others: the provider's frame.
   * @returns whether there is anything new; else the frame may go on
   */
  readonly check: () => Promise<boolean>
}

const OFFLINE_TEXT = 'You are offline. Nothing was sent. Press Pay again when you are online.'
const NOT_PAID_TEXT = 'The payment was not made. Nothing was charged. You can pay now.'

/**
 * Pays, and finds out how that ends (docs/decisions/0059). An answer that never came is no failure: the server is asked until it says what
 * became of the payment.
 */
export const usePaymentOutcome = (options: PaymentOutcomeOptions): PaymentOutcome => {
  const { subject, lastPaymentId, readStanding, advice, holdMs, initialError } = options
  const { submit, showError, ...form } = useSubmit(
    (failure) => methodErrorText(failure, advice),
    holdMs,
    initialError && failedText(initialError, advice),
  )
  const [text, setNotice] = useState('')
  const clearNotice = useCallback(async () => {
    if (navigator.onLine) setNotice('')
  }, [])
  const [askAgain, setAskAgain] = useState<(() => Promise<void>) | null>(null)
  useAskAgain(askAgain ?? (text === OFFLINE_TEXT ? clearNotice : null))
  /** Asks until somebody answers. Nothing found is an answer only when what was sent can no longer be on its way. */
  const untilAnswered = async (previousId: string | null): Promise<PaymentStanding> => {
    const lostAt = performance.now()
    const standing = await new Promise<PaymentStanding>((resolve) => {
      const ask = async (): Promise<void> => {
        const answer = await readStanding()
        if (answer !== null && (isOutcome(answer, previousId) || performance.now() - lostAt >= ASK_INTERVAL_MS)) resolve(answer)
      }
      setAskAgain(() => ask)
      void ask()
    })
    setAskAgain(null)
    return standing
  }

  const settle = (standing: PaymentStanding, previousId: string | null): boolean => {
    if (!isOutcome(standing, previousId)) return false
    if (standing.status === INTENT_STATUS.paid) broadcastPaid()
    if (standing.status === INTENT_STATUS.failed) showError(standing.error === null ? GENERIC_ERROR : failedText(standing.error, advice))
    if (standing.status !== INTENT_STATUS.processing) endPayment(subject)
    return true
  }

  /** Finds out what became of a payment to which no answer came that can be shown. */
  const outcomeAfter = async (failure: unknown): Promise<void> => {
    if (isDefiniteFailure(failure)) {
      endPayment(subject)
      // Only the server knows whether another tab was faster. A declined payment is then known, too.
      await Promise.race([readStanding(), new Promise((resolve) => setTimeout(resolve, ASK_INTERVAL_MS))])
      throw failure
    }
    const hasAnswered = hasServerAnswered(failure)
    const standing = (hasAnswered ? await readStanding() : null) ?? (await untilAnswered(lastPaymentId))
    if (settle(standing, lastPaymentId)) return
    if (hasAnswered) throw failure
    setNotice(NOT_PAID_TEXT)
  }

  const payOnce = async (prepare: () => Promise<SendPayment>): Promise<unknown> => {
    const send = await prepare()
    const { key } = startPayment(subject, lastPaymentId)
    const result = await send({ 'Idempotency-Key': key }).then(assertAnswer).catch(outcomeAfter)
    if (result === undefined) return undefined
    endPayment(subject)
    if (result.status === 'requires_action') return followRedirect(result, options)
    if (result.status === 'succeeded') broadcastPaid()
    options.onAnswer?.(result)
    return NAVIGATING
  }

  const check = async (): Promise<boolean> => {
    // What is told next is about this try, not about the one before.
    form.clearError()
    const standing = await readStanding()
    if (standing !== null) return settle(standing, lastPaymentId)
    setNotice('')
    // Stored for a reload.
    startPayment(subject, lastPaymentId)
    if (!settle(await untilAnswered(lastPaymentId), lastPaymentId)) setNotice(NOT_PAID_TEXT)
    return true
  }

  const pay = (prepare: () => Promise<SendPayment>): void => {
    setNotice(navigator.onLine ? '' : OFFLINE_TEXT)
    if (navigator.onLine) submit(() => payOnce(prepare))
  }
  const isUnanswered = askAgain !== null
  const words = isUnanswered ? { busyText: 'Checking…', notice: UNANSWERED_TEXT } : { busyText: 'Paying…', notice: text }
  return { ...form, ...words, isUnanswered, pay, check }
}

/**
 * The result itself when our server has sent it.
 * @throws Error for what is no answer of the server, such as a page of a network that wants its user to sign in
 */
const assertAnswer = (result: PaymentResult): PaymentResult => {
  if (result.intentStatus > 0) return result
  throw new TypeError()
}

/** Whether the standing is what became of the sent payment, and not what was there before. */
const isOutcome = ({ status, lastPaymentId }: PaymentStanding, previousId: string | null): boolean =>
  status !== INTENT_STATUS.open && (status !== INTENT_STATUS.failed || lastPaymentId !== previousId)

/** Leaves the page for the bank's confirmation page. Throws a ShownError when its address is missing or not allowed. */
const followRedirect = (result: PaymentResult, { scriptUrl = null, onRedirect }: PaymentOutcomeOptions): typeof NAVIGATING => {
  const url = safeRedirect(result.redirectToUrl, scriptUrl)
  if (url === null) throw new ShownError('The confirmation page of your bank cannot be opened. Please contact support.')
  onRedirect?.(result)
  location.assign(url)
  return NAVIGATING
}
