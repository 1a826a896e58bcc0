import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../support/browser.ts'
import { people } from '../support/people.ts'
import { ELSEWHERE } from './redirect-targets.ts'
import { world } from '../support/world.ts'

const { person, signedIn } = people()

/** What a browser did with the targets: where it landed with each, and where it wanted to go that is not ours. */
interface Outcome {
  readonly landed: Record<string, string>
  readonly strayed: string[]
}

/** Pages open at once: they wait for one another's documents, not for the machine alone. */
const AT_ONCE = 3

/**
 * Opens the sink with every target. The page where it ends stands empty, so that hundreds of landings cost seconds: what the portal
 * shows there is others' to test. Whatever is asked of another host is noted and goes nowhere.
 */
const openWithAll = async (
  pages: readonly Page[],
  sinks: RegExp,
  addressOf: (target: string) => string,
  others: readonly string[] = [],
): Promise<Outcome> => {
  const home = new Set([world().url, ...others])
  const outcome: Outcome = { landed: {}, strayed: [] }
  const left = [...ELSEWHERE]
  const work = async (page: Page): Promise<void> => {
    await page.route('**', async (route) => {
      const request = route.request()
      const { origin, pathname } = new URL(request.url())
      if (!home.has(origin)) {
        outcome.strayed.push(request.url())
        await route.abort()
      } else if (!request.isNavigationRequest() || others.includes(origin) || sinks.test(pathname)) await route.fallback()
      else await route.fulfill({ contentType: 'text/html', body: '<title>Landed</title>' })
    })
    for (let target = left.shift(); target !== undefined; target = left.shift()) {
      await page.goto(addressOf(target), { waitUntil: 'commit' })
      // Who stays where it was after ten seconds is told of as such.
      await page.waitForURL(({ pathname }) => !sinks.test(pathname), { waitUntil: 'commit', timeout: 10_000 }).catch(() => undefined)
      outcome.landed[target] = page.url().slice(world().url.length)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await Promise.all(pages.map(work))
  return outcome
}

const allAt = (path: string): Outcome => ({ landed: Object.fromEntries(ELSEWHERE.map((target) => [target, path])), strayed: [] })
/** The page given, and more of the same browser. */
const several = async (first: Page): Promise<Page[]> => [
  first,
  ...(await Promise.all(Array.from({ length: AT_ONCE - 1 }, () => first.context().newPage()))),
]

test('[AUTH-02][AUTH-04] the list of places that are none of ours has the length that it should, and nothing twice', () => {
  expect(ELSEWHERE.length).toBeGreaterThanOrEqual(120)
  expect(new Set(ELSEWHERE).size).toBe(ELSEWHERE.length)
})

test('[AUTH-02][AUTH-04] `r` of the sign-in page: nothing leads anywhere but to the start', async () => {
  const pages = await several(await signedIn('demo'))
  expect(await openWithAll(pages, /^\/login$/, (target) => `/login?r=${encodeURIComponent(target)}`)).toEqual(allAt('/'))
})

test('[SUP-01] `r` of a support link: nothing leads anywhere but to the loader of the start', async () => {
  const page = await person()
  const form = { grant_type: 'password', username: 'demo', password: DEMO_PASSWORD, client_id: 'e2e', client_secret: 'e2e' }
  const tokens: object = await (await fetch(`${world().url}/token`, { method: 'POST', body: new URLSearchParams(form) })).json()
  await page.context().route('**/token', (route) => route.fulfill({ json: tokens }))
  const outcome = await openWithAll(await several(page), /^\/la\//, (target) => `/la/any-code?r=${encodeURIComponent(target)}`)
  expect(outcome).toEqual(allAt('/redirect-loader?r=%2F'))
})

test('[SSO-01][AUTH-09] `r` of single sign-on, out to the company and back: nothing leads anywhere but to the start', async () => {
  const sandbox = world().sandboxUrl.replace('localhost', '127.0.0.1')
  const page = await person()
  await page.goto('/sso/login?b=orbit&ct=2')
  await page.getByLabel('Work email').fill('sso@orbit.example')
  await page.getByLabel('Work password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('main').getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  const address = (target: string): string => `/sso/login?b=orbit&ct=2&r=${encodeURIComponent(target)}`
  expect(await openWithAll(await several(page), /^\/(sso\/.*|login)$/, address, [sandbox])).toEqual(allAt('/'))
})

test('[RL-01] `r` of the loader: nothing leads anywhere but to the first section', async () => {
  const page = await signedIn('demo')
  const strayed: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== world().url) strayed.push(request.url())
  })
  /** Within the app, as its own links go: the loader is a screen of it, and what it loads is in memory from the first time on. */
  const goWithin = (path: string): Promise<void> =>
    page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  const landed: Record<string, string> = {}
  for (const target of ELSEWHERE) {
    await goWithin(`/redirect-loader?r=${encodeURIComponent(target)}`)
    await page.waitForURL(({ pathname }) => pathname !== '/redirect-loader' && pathname !== '/', { waitUntil: 'commit' })
    landed[target] = page.url().slice(world().url.length)
  }
  expect({ landed, strayed }).toEqual(allAt('/dashboard'))
})

test.each(['//evil.example', '/\\evil.example', '/%252Fevil.example', 'javascript:alert(1)', '', '/redirect-loader?r=//evil.example'])(
  '[RL-01] the loader, opened with %j from outside, leads to the first section',
  async (target) => {
    const page = await signedIn('demo')
    await page.goto(`/redirect-loader?r=${encodeURIComponent(target)}`)
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    expect(page.url()).toBe(`${world().url}/dashboard`)
  },
)
