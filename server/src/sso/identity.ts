/** The person that an organization's identity provider has authenticated. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Only an address that the provider has verified. */
  readonly email: string | null
}

/** Why a sign-on failed: decides the message to the person, and is logged. */
export type SignOnFailureKind =
  /** The provider did not respond in time. */
  | 'away'
  /** The provider's response is not valid. */
  | 'unbelievable'
  /** The provider or the person denied access. */
  | 'denied'
  /** No user belongs to the provider's person. */
  | 'stranger'
  /** No attempt is waiting for this response: too late, a second time, or another browser. */
  | 'stale'

/** A failed sign-on. `reason` is for the log and contains no personal data. */
export class SignOnFailed extends Error {
  readonly kind: SignOnFailureKind
  readonly reason: string

  constructor(kind: SignOnFailureKind, reason: string, options?: ErrorOptions) {
    super(`single sign-on failed: ${reason}`, options)
    this.kind = kind
    this.reason = reason
  }
}
