import type { Page, Request } from 'playwright-core'

/** Calls to the API that a page makes from now on, as "GET /v1/ec/me", in the order in which they left. */
export const callsOf = (page: Page): Request[] => {
  const calls: Request[] = []
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) calls.push(request)
  })
  return calls
}

/** A call as "GET /v1/ec/me". */
export const lineOf = (call: Request): string => `${call.method()} ${new URL(call.url()).pathname}`

/** Is this call the refresh of a session? */
export const isRefresh = (call: Request): boolean =>
  lineOf(call) === 'POST /token' && (call.postData() ?? '').includes('grant_type=refresh_token')
