import type { Form } from './form.ts'
import type { Takes } from './params.ts'
import type { Work } from '../store/sandbox-session.ts'

/** What a fault makes of a call that knows how to misbehave by itself. */
export type Order = 'decline' | 'action'

/** What a call is made with. */
export interface Call {
  readonly work: Work
  readonly form: Form
  /** The id in its path; empty where there is none. */
  readonly id: string
  readonly order: Order | undefined
  /** True when it was made with a secret key, not from a page. */
  readonly secret: boolean
}

/** One of Stripe's calls. */
export interface Endpoint extends Takes {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/stripe`. */
  readonly path: string
  /** The word by which `POST /faults` knows it. */
  readonly operation: string | ((form: Form) => string)
  /** A page's script may make it with its publishable key. */
  readonly fromPages?: true
  /** The orders that it carries out by itself. */
  readonly obeys?: readonly Order[]
  run(call: Call): object
}
