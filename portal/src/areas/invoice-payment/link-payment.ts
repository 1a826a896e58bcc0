import type { PaymentResult } from '@counterfoil/contract/kit/payments/pay-form'
import type { PaymentStanding } from '../../payments/outcome/use-payment-outcome.ts'

type TellPayment = (result: PaymentResult, total: string, email: string) => void

/** What each form of the page needs to pay the invoice, and to tell how that went. */
export interface LinkPayment {
  readonly token: string
  /** The error of a failed payment that was not shown yet, "" without a reason; null when there is none. */
  readonly initialError: string | null
  /** Loads the invoice again: only the server knows whether money moved. */
  readonly readStanding: () => Promise<PaymentStanding | null>
  /** Shows what the server has answered. */
  readonly onAnswer: TellPayment
  /** Called before the browser leaves for the bank. */
  readonly onRedirect: TellPayment
}
