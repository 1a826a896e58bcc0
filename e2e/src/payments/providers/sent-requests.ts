import type { Page } from 'playwright-core'
import { testEnvironment } from '../../support/test-environment.ts'

/** Collects the bodies that a page posts as JSON to our server from now on, or only to paths that end so. */
export const collectSent = (page: Page, path = ''): Record<string, unknown>[] => {
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    const isOurs = request.method() === 'POST' && request.url().startsWith(testEnvironment().url) && request.url().endsWith(path)
    if (isOurs && request.postData()?.startsWith('{') === true) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** The errors of a page apart from those that the browser and the portal log where something is refused. */
export const withoutRefusals = (errors: readonly string[]): string[] =>
  errors.filter((error) => !error.startsWith('error: ') || error.startsWith('error: security policy'))
