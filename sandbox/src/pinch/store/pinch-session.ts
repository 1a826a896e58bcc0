import { Session } from '../../kit/session.ts'

/** Something that happened and becomes a webhook event. */
export interface PendingEvent {
  readonly type: string
  readonly metadata: object
  readonly data: object
}

/** The store's name of an application in one of its modes, `test` or `live`: each has payers and payments of its own. */
export const accountOf = (mode: string, applicationId: string): string => `${mode} ${applicationId}`

/** The objects of one application in one mode during one request. */
export class PinchSession extends Session<PendingEvent> {
  get applicationId(): string {
    return this.account.slice(this.account.indexOf(' ') + 1)
  }

  get isTestMode(): boolean {
    return this.account.startsWith('test ')
  }

  /** What the account is paid in: accounts whose id contains `nzd` are of New Zealand. */
  get currency(): string {
    return this.applicationId.includes('nzd') ? 'NZD' : 'AUD'
  }
}
