import { PORTAL_CLIENT } from '@counterfoil/contract/sign-in'
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from './browser.ts'
import { expect } from './expect.ts'
import { readStoredSession } from './session.ts'
import { testEnvironment } from './test-environment.ts'

/** Calls the API as the page's user, for this customer or else for the one that the page has selected. */
export const callApi = async <T>(
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: { customer?: number; body?: object } = {},
): Promise<T> => {
  const { auth, customer } = await readStoredSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const answer = await page.request.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...customerHeader(options.customer ?? customer) },
    ...(options.body === undefined ? {} : { data: options.body }),
  })
  expect([200, 204], `${method} ${path}`).toContain(answer.status())
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Without it the server takes the only customer of a user. */
const customerHeader = (customer: number | string | null | undefined): Record<string, string> =>
  customer === null || customer === undefined ? {} : { 'x-customer-id': String(customer) }

/** Gets from the API as the page's user, for the customer that the page has selected. */
export const getFromApi = <T>(page: Page, path: string): Promise<T> => callApi<T>(page, 'GET', path)

/** Calls the API as one user, without a browser; what is no JSON is returned as text. */
export type Api = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, customer?: number) => Promise<T>

/** Signs a user in to prepare what a page then shows. */
export const signInToApi = async (username: string, password = DEMO_PASSWORD): Promise<Api> => {
  const { url } = testEnvironment()
  const form = { grant_type: 'password', username, password, client_id: PORTAL_CLIENT.id, client_secret: PORTAL_CLIENT.secret }
  const signedIn = await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  return async <T>(method: string, path: string, body?: object, customer?: number): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, ...customerHeader(customer) }
    const sent =
      body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, ...sent })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return (answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as T
  }
}
