import type { Page } from 'playwright-core'

export interface Line {
  /** Lets requests through again, and tells the page that the browser is online. */
  readonly mend: () => Promise<void>
  /** How often the page has sent what the line was cut at. */
  readonly sent: () => number
}

/**
 * Cuts the page's line to the server once it sends a request to an address: no answer comes to it, nor to anything after it, until the line
 * is mended.
 * @param reachesServer whether the server gets that request, and carries it out
 */
export const cutLineAt = async (page: Page, url: string, reachesServer = true): Promise<Line> => {
  let state: 'up' | 'down' | 'mended' = 'up'
  let sent = 0
  await page.route(/\/(?:v1|token)(?:\/|$)/, (route) => (state === 'down' ? route.abort('connectionreset') : route.fallback()))
  await page.route(url, async (route) => {
    sent += 1
    if (state !== 'up') return route.fallback()
    if (reachesServer) await route.fetch()
    state = 'down'
    await route.abort('connectionreset')
  })
  const mend = async (): Promise<void> => {
    state = 'mended'
    await page.evaluate(() => void dispatchEvent(new Event('online')))
  }
  return { mend, sent: () => sent }
}
