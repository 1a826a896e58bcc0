import { Session, type SessionStores } from '../../kit/session.ts'

/** Something that happened and becomes a webhook event. */
export interface PendingEvent {
  /** The event type of the signed style. */
  readonly type: string
  readonly merchantId: string
  /** The `data` of the signed style. */
  readonly data: object
  /** The body of the unsigned style; undefined when that has no such event. */
  readonly unsignedBody?: object | undefined
}

/** The objects of one user name during one request. */
export class NexioSession extends Session<PendingEvent> {
  /** `http://host/nexio` as the caller addressed it. */
  readonly baseUrl: string

  constructor(stores: SessionStores, account: string, baseUrl: string) {
    super(stores, account)
    this.baseUrl = baseUrl
  }
}
