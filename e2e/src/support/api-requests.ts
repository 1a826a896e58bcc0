import type { Page, Request } from 'playwright-core'

/** Collects the fetch requests that a page makes from now on, in the order in which they are sent. */
export const collectApiRequests = (page: Page): Request[] => {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(request)
  })
  return requests
}

/** A request as "GET /v1/ec/me". */
export const requestLine = (request: Request): string => `${request.method()} ${new URL(request.url()).pathname}`

/** Whether this request refreshes a session. */
export const isTokenRefresh = (request: Request): boolean =>
  requestLine(request) === 'POST /token' && (request.postData() ?? '').includes('grant_type=refresh_token')
