import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { DEMO_PASSWORD } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { navigateInApp, usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'

const { openPage, signInAs } = usePages()

/** Some of portal/src/public/foreign-targets.ts, all of which are tried without a browser (safe-path.test.ts, loader-target.test.ts). */
const TARGETS = ['//evil.example', '/%252Fevil.example', 'javascript:alert(1)'] as const

/** Where the browser landed with each target, and which requests to other origins it made. */
interface Outcome {
  readonly landed: Record<string, string>
  readonly foreignRequests: string[]
}

/**
 * Opens the redirecting page with each target. The page where it lands is replaced by an empty one. Requests to other origins are noted and
 * aborted.
 */
const openTargets = async (
  page: Page,
  redirecting: RegExp,
  addressOf: (target: string) => string,
  otherOrigins: readonly string[] = [],
): Promise<Outcome> => {
  const ownOrigins = new Set([testEnvironment().url, ...otherOrigins])
  const outcome: Outcome = { landed: {}, foreignRequests: [] }
  await page.route('**', async (route) => {
    const request = route.request()
    const { origin, pathname } = new URL(request.url())
    if (!ownOrigins.has(origin)) {
      outcome.foreignRequests.push(request.url())
      await route.abort()
    } else if (!request.isNavigationRequest() || otherOrigins.includes(origin) || redirecting.test(pathname)) await route.fallback()
    else await route.fulfill({ contentType: 'text/html', body: '<title>Landed</title>' })
  })
  for (const target of TARGETS) {
    await page.goto(addressOf(target), { waitUntil: 'commit' })
    // A page that does not redirect is reported with the address where it stayed.
    await page.waitForURL(({ pathname }) => !redirecting.test(pathname), { waitUntil: 'commit', timeout: 10_000 }).catch(() => undefined)
    outcome.landed[target] = page.url().slice(testEnvironment().url.length)
  }
  return outcome
}

const allLandedAt = (path: string): Outcome => ({
  landed: Object.fromEntries(TARGETS.map((target) => [target, path])),
  foreignRequests: [],
})

test('[AUTH-02][AUTH-04] `r` of the sign-in page: nothing leads anywhere but to the start', async () => {
  const page = await signInAs('demo')
  expect(await openTargets(page, /^\/login$/, (target) => `/login?r=${encodeURIComponent(target)}`)).toEqual(allLandedAt('/'))
})

test('[SUP-01] `r` of a support link: nothing leads anywhere but to the loader of the start', async () => {
  const page = await openPage()
  const form = { grant_type: 'password', username: 'demo', password: DEMO_PASSWORD, client_id: 'e2e', client_secret: 'e2e' }
  const tokens: object = await (await fetch(`${testEnvironment().url}/token`, { method: 'POST', body: new URLSearchParams(form) })).json()
  await page.context().route('**/token', (route) => route.fulfill({ json: tokens }))
  const outcome = await openTargets(page, /^\/la\//, (target) => `/la/any-code?r=${encodeURIComponent(target)}`)
  expect(outcome).toEqual(allLandedAt('/redirect-loader?r=%2F'))
})

test('[SSO-01][AUTH-09] `r` of single sign-on, to the identity provider and back: every bad target leads to the start page', async () => {
  const sandbox = testEnvironment().sandboxUrl.replace('localhost', '127.0.0.1')
  const page = await openPage()
  await page.goto('/sso/login?b=orbit&ct=2')
  await page.getByLabel('Work email').fill('sso@orbit.example')
  await page.getByLabel('Work password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const address = (target: string): string => `/sso/login?b=orbit&ct=2&r=${encodeURIComponent(target)}`
  expect(await openTargets(page, /^\/(sso\/.*|login)$/, address, [sandbox])).toEqual(allLandedAt('/'))
})

test('[RL-01] the loader, opened from outside or within the app with an address that is none of ours, leads to the first section', async () => {
  const page = await signInAs('demo')
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== testEnvironment().url) foreignRequests.push(request.url())
  })
  await page.goto(`/redirect-loader?r=${encodeURIComponent(TARGETS[0])}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  for (const target of TARGETS.slice(1)) {
    // Within the app, as its own links do, the loader's requests are answered from memory.
    await navigateInApp(page, `/redirect-loader?r=${encodeURIComponent(target)}`)
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  }
  expect(foreignRequests).toEqual([])
})
