/** Whom a company's provider has vouched for. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Only an address that the provider vouches for; null for any other. */
  readonly email: string | null
}

/** Why a sign-on came to nothing; what a person is told of it, and what stands in the log. */
export type SignOnFailureKind =
  /** The provider did not answer, or not in time. */
  | 'away'
  /** The provider answered what cannot be believed. */
  | 'unbelievable'
  /** The provider or the person said no. */
  | 'denied'
  /** Nobody here is the person that the provider named. */
  | 'stranger'
  /** Nothing is waiting for this answer: too late, a second time, or another browser. */
  | 'stale'

/** A sign-on that came to nothing. `reason` is for the log: one word or a library's code, nobody's data. */
export class SignOnFailed extends Error {
  readonly kind: SignOnFailureKind
  readonly reason: string

  constructor(kind: SignOnFailureKind, reason: string, options?: ErrorOptions) {
    super(`single sign-on failed: ${reason}`, options)
    this.kind = kind
    this.reason = reason
  }
}
