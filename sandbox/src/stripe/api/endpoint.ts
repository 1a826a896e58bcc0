import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { Form } from './form.ts'
import type { ParamNames } from './params.ts'
import type { StripeSession } from '../store/stripe-session.ts'

/** A request as an endpoint handles it. */
export interface ApiRequest {
  readonly sandbox: StripeSession
  readonly form: Form
  /** The id in the path; empty where there is none. */
  readonly id: string
  readonly forcedOutcome: ForcedOutcome | undefined
  /** False when the request comes from a web page with a publishable key. */
  readonly hasSecretKey: boolean
}

/** One call of Stripe's API. */
export interface Endpoint extends ParamNames {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path below `/stripe`. */
  readonly path: string
  /** The operation that `POST /faults` knows it by. */
  readonly operation: string | ((form: Form) => string)
  /** Stripe.js may call it from a web page. */
  readonly allowsPublishableKey?: true
  /** The outcomes that it can produce when a fault asks for them. */
  readonly forcedOutcomes?: readonly ForcedOutcome[]
  handle(request: ApiRequest): object
}
