import type { Page } from 'playwright-core'
import { expect } from './expect.ts'
import { readStoredSession } from './session.ts'

/** Calls the API as the page's user, for this customer or else for the one that the page has selected. */
export const callApi = async <T>(
  page: Page,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  options: { customer?: number; body?: object } = {},
): Promise<T> => {
  const { auth, customer } = await readStoredSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const answer = await page.request.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-customer-id': String(options.customer ?? customer ?? '') },
    ...(options.body === undefined ? {} : { data: options.body }),
  })
  expect([200, 204], `${method} ${path}`).toContain(answer.status())
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Gets from the API as the page's user, for the customer that the page has selected. */
export const getFromApi = <T>(page: Page, path: string): Promise<T> => callApi<T>(page, 'GET', path)
