import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { DEMO_PASSWORD } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { FOREIGN_TARGETS } from './redirect-targets.ts'
import { testEnvironment } from '../support/test-environment.ts'

const { openPage, openPageAs, signInAs } = usePages()

/** Where the browser landed with each target, and which requests to other origins it made. */
interface Outcome {
  readonly landed: Record<string, string>
  readonly foreignRequests: string[]
}

/**
 * Sign-in page, support link and loader read `r` with one function. Every target goes through the loader, which needs no new document for
 * each, and every sixth through the others.
 */
const SAMPLE = FOREIGN_TARGETS.filter((_, at) => at % 6 === 0)

/** How many pages work through the targets at the same time. */
const PAGES = 3

/**
 * Opens the redirecting page with a target of each kind. The page where it lands is replaced by an empty one. Requests to other origins are
 * noted and aborted.
 */
const openTargets = async (
  pages: readonly Page[],
  redirecting: RegExp,
  addressOf: (target: string) => string,
  { otherOrigins = [], targets = SAMPLE }: { otherOrigins?: readonly string[]; targets?: readonly string[] } = {},
): Promise<Outcome> => {
  const ownOrigins = new Set([testEnvironment().url, ...otherOrigins])
  const outcome: Outcome = { landed: {}, foreignRequests: [] }
  const remaining = [...targets]
  const openRemaining = async (page: Page): Promise<void> => {
    await page.route('**', async (route) => {
      const request = route.request()
      const { origin, pathname } = new URL(request.url())
      if (!ownOrigins.has(origin)) {
        outcome.foreignRequests.push(request.url())
        await route.abort()
      } else if (!request.isNavigationRequest() || otherOrigins.includes(origin) || redirecting.test(pathname)) await route.fallback()
      else await route.fulfill({ contentType: 'text/html', body: '<title>Landed</title>' })
    })
    for (let target = remaining.shift(); target !== undefined; target = remaining.shift()) {
      await page.goto(addressOf(target), { waitUntil: 'commit' })
      // A page that does not redirect is reported with the address where it stayed.
      await page.waitForURL(({ pathname }) => !redirecting.test(pathname), { waitUntil: 'commit', timeout: 10_000 }).catch(() => undefined)
      outcome.landed[target] = page.url().slice(testEnvironment().url.length)
    }
  }
  await Promise.all(pages.map(openRemaining))
  return outcome
}

const allLandedAt = (path: string, targets: readonly string[] = SAMPLE): Outcome => ({
  landed: Object.fromEntries(targets.map((target) => [target, path])),
  foreignRequests: [],
})
/** This page, and more pages of the same context. */
const openMorePages = async (first: Page): Promise<Page[]> => [
  first,
  ...(await Promise.all(Array.from({ length: PAGES - 1 }, () => first.context().newPage()))),
]

test('[AUTH-02][AUTH-04] the list of places that are none of ours has the length that it should, and nothing twice', () => {
  expect(FOREIGN_TARGETS.length).toBeGreaterThanOrEqual(120)
  expect(new Set(FOREIGN_TARGETS).size).toBe(FOREIGN_TARGETS.length)
})

test('[AUTH-02][AUTH-04] `r` of the sign-in page: nothing leads anywhere but to the start', async () => {
  const pages = await openMorePages(await openPageAs('demo'))
  expect(await openTargets(pages, /^\/login$/, (target) => `/login?r=${encodeURIComponent(target)}`)).toEqual(allLandedAt('/'))
})

test('[SUP-01] `r` of a support link: nothing leads anywhere but to the loader of the start', async () => {
  const page = await openPage()
  const form = { grant_type: 'password', username: 'demo', password: DEMO_PASSWORD, client_id: 'e2e', client_secret: 'e2e' }
  const tokens: object = await (await fetch(`${testEnvironment().url}/token`, { method: 'POST', body: new URLSearchParams(form) })).json()
  await page.context().route('**/token', (route) => route.fulfill({ json: tokens }))
  const outcome = await openTargets(await openMorePages(page), /^\/la\//, (target) => `/la/any-code?r=${encodeURIComponent(target)}`)
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
  // What the server passes on to the sign-in page is of this origin, and the page judges each of it.
  const passedOn: string[] = []
  for (const target of FOREIGN_TARGETS) {
    const answer = await page.request.get(address(target))
    const { pathname, searchParams } = new URL(answer.url())
    const next = searchParams.get('r')
    expect([pathname, new URL(next ?? '/', testEnvironment().url).origin], target).toEqual(['/login', testEnvironment().url])
    if (next !== null) passedOn.push(target)
  }
  const targets = [...new Set([...SAMPLE, ...passedOn])]
  const outcome = await openTargets(await openMorePages(page), /^\/(sso\/.*|login)$/, address, { otherOrigins: [sandbox], targets })
  expect(outcome).toEqual(allLandedAt('/', targets))
})

test('[RL-01] `r` of the loader: nothing leads anywhere but to the first section', async () => {
  const page = await openPageAs('demo')
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== testEnvironment().url) foreignRequests.push(request.url())
  })
  /** Navigates within the app, as its own links do, so that the loader's requests are answered from memory after the first time. */
  const navigateInApp = (path: string): Promise<void> =>
    page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  const landed: Record<string, string> = {}
  for (const target of FOREIGN_TARGETS) {
    await navigateInApp(`/redirect-loader?r=${encodeURIComponent(target)}`)
    await page.waitForURL(({ pathname }) => pathname !== '/redirect-loader' && pathname !== '/', { waitUntil: 'commit' })
    landed[target] = page.url().slice(testEnvironment().url.length)
  }
  expect({ landed, foreignRequests }).toEqual(allLandedAt('/dashboard', FOREIGN_TARGETS))
})

test('[RL-01] the loader, opened from outside with an address that is none of ours, leads to the first section', async () => {
  const page = await signInAs('demo')
  for (const target of [
    '//evil.example',
    '/\\evil.example',
    '/%252Fevil.example',
    'javascript:alert(1)',
    '',
    '/redirect-loader?r=//evil.example',
  ]) {
    await page.goto(`/redirect-loader?r=${encodeURIComponent(target)}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expect(page).toHaveURL(`${testEnvironment().url}/dashboard`)
  }
})
