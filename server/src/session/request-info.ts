/** Where a request comes from, with access to its cookies. */
export interface RequestInfo {
  readonly address: string
  /** Lower case, without the port. */
  readonly host: string
  /** Empty without the header; at most 500 characters. */
  readonly userAgent: string
  /** Whether a page of another site made the browser send this. A request without a browser's headers comes from a program. */
  readonly isFromOtherSite: boolean
  /** The header Idempotency-Key; null without one. Requests with the same key are one request, however often they are sent. */
  readonly idempotencyKey: string | null
  cookie(name: string): string | undefined
  /** @param sameSite `lax` also sends the cookie when another site redirects here; default `strict` */
  setCookie(name: string, value: string, maxAgeSeconds: number, sameSite?: 'strict' | 'lax'): void
}
