import { buildPortal } from '../../../scripts/portal-build.ts'
import { DEMO_PASSWORD, launchBrowser, newContext, PHONE } from '../../../e2e/src/support/browser.ts'
import { maxFinding, type Finding, median } from '../harness/findings.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const VISITS = 5
/** Chromium's processor slowed down so many times. */
const CPU_SLOWDOWN = 4
/** 1.6 Mbit/s down and 0.75 up in bytes a second, and 150 ms for each exchange. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }

/** Measures, on a slow phone with nothing cached, how soon the sign-in page stands and how soon after signing in the figures do. */
export const measureSlowPhone = async ({ server }: BenchEnvironment): Promise<Finding[]> => {
  await buildPortal()
  const browser = await launchBrowser()
  try {
    const visits: Visit[] = []
    for (let count = 0; count < VISITS; count += 1) visits.push(await visit(browser, server.url))
    const medianOf = (figure: keyof Visit): number => median(visits.map((one) => one[figure]))
    const each = ` (${VISITS} visits, ${visits.map(({ figuresMs }) => (figuresMs / 1_000).toFixed(2)).join(', ')})`
    return [
      maxFinding('Slow phone: the sign-in page until it can be typed into', medianOf('pageMs') / 1_000, 4, 's'),
      maxFinding('Slow phone: from signing in to the figures of the dashboard', medianOf('figuresMs') / 1_000, 4, 's', each),
      maxFinding('Requests from signing in to the figures', medianOf('requests'), 25, ''),
      maxFinding('Bytes received for them', medianOf('bytes') / 1_024, 400, 'KiB'),
    ]
  } finally {
    await browser.close()
  }
}

interface Visit {
  readonly pageMs: number
  readonly figuresMs: number
  readonly requests: number
  readonly bytes: number
}

const visit = async (browser: Browser, url: string): Promise<Visit> => {
  const context = await newContext(browser, url, { viewport: PHONE })
  const page = await context.newPage()
  const received = await slowDown(page)
  const openedAt = performance.now()
  await page.goto('/login')
  await page.getByLabel('Username').fill('demo')
  const pageMs = performance.now() - openedAt
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.waitForLoadState('networkidle')
  const before = { ...received }
  const pressedAt = performance.now()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('main').getByText('Total due').first().waitFor()
  await page
    .getByRole('main')
    .getByText(/\d\.\d\d/)
    .first()
    .waitFor()
  const figuresMs = performance.now() - pressedAt
  await context.close()
  return { pageMs, figuresMs, requests: received.requests - before.requests, bytes: received.bytes - before.bytes }
}

/** Makes the page's browser a slow phone. @returns what is received from now on */
const slowDown = async (page: Page): Promise<{ requests: number; bytes: number }> => {
  const session = await page.context().newCDPSession(page)
  const received = { requests: 0, bytes: 0 }
  session.on('Network.responseReceived', () => void (received.requests += 1))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (received.bytes += encodedDataLength))
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return received
}
