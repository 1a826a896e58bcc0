import { Session } from '../../kit/session.ts'

/** Something that happened, for the address that its call has registered. */
export interface PendingEvent {
  readonly url: string
  readonly type: 'transaction' | 'token'
  readonly data: object
}

/** The objects of one merchant number during one request. */
export class BpointSession extends Session<PendingEvent> {
  /** How long the answer to this request waits, in milliseconds. */
  delayMs = 0
}
