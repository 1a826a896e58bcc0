/** The content of a mail about a payment that needs a person, stored until it is sent. It names no customer. */
export interface ReviewFacts {
  readonly attemptId: string
  /** By which the provider knows the payment. */
  readonly merchantReference: string
  readonly provider: string
  readonly amount: string
  readonly currency: string
  /** By which its payer knows it. */
  readonly reference: string
  readonly whereToLook: string
}
