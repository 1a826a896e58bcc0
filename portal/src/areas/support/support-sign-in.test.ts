import { afterEach, expect, test } from 'vitest'
import { accessToken, respondWithJson, startTestBrowser } from '../../api/test-browser.ts'
import { FOREIGN_TARGETS } from '../../public/foreign-targets.ts'
import { signInAsSupport } from './support-sign-in.ts'

let browser: Awaited<ReturnType<typeof startTestBrowser>>

afterEach(() => browser.close())

const tokens = { access_token: accessToken({ su: true }), refresh_token: 'r1', token_type: 'Bearer', expires_in: 300 }

/** Where a link with this query leads, and the customer that is stored then. */
const followLink = async (query: Record<string, string>): Promise<{ path: string; customer: string | null }> => {
  const path = await signInAsSupport('any-code', `?${new URLSearchParams(query)}`)
  return { path, customer: browser.localStorage.getItem('current_customer_id') }
}

test('[SUP-01] a link opens the loader of the page that it names, for the customer that it names; a `c` that is no number is no customer', async () => {
  browser = await startTestBrowser((_, response) => respondWithJson(response, 200, tokens))
  expect(await followLink({ c: '300101', r: '/invoices?a=1' })).toEqual({
    path: '/redirect-loader?r=%2Finvoices%3Fa%3D1',
    customer: '300101',
  })
  for (const c of ['1;alert', '-1', '0', '1e3', ' 1', '']) expect(await followLink({ c })).toEqual({ path: '/dashboard', customer: null })
})

test('[SUP-01] no `r` of a link leads anywhere but to the loader of the start', async () => {
  browser = await startTestBrowser((_, response) => respondWithJson(response, 200, tokens))
  const strayed: string[] = []
  for (const r of ['//evil.example', ...FOREIGN_TARGETS.filter((_, at) => at % 10 === 0)]) {
    const { path } = await followLink({ r })
    if (r !== '' && path !== '/redirect-loader?r=%2F') strayed.push(r)
  }
  expect(strayed).toEqual([])
})
