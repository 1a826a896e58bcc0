import type { Intent, NextAction } from './intents.ts'

export interface PaymentIntent extends Intent {
  readonly object: 'payment_intent'
  readonly amount: number
  readonly amount_capturable: number
  readonly amount_received: number
  readonly capture_method: string
  readonly confirmation_method: string
  readonly created: number
  readonly currency: string
  readonly description: string | null
  readonly last_payment_error: object | null
  readonly latest_charge: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly next_action: NextAction | null
  readonly receipt_email: string | null
  readonly setup_future_usage: string | null
  readonly statement_descriptor: string | null
  readonly statement_descriptor_suffix: string | null
  readonly status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled'
  readonly sandbox_only: {
    /** The caller's own reference, for the ledger. */
    readonly reference: string
    readonly authenticated?: boolean
  }
}
