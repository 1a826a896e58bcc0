import { expect as playwrightExpect } from '@playwright/test'

/**
 * Playwright's assertions, which retry on a page until they hold. Their limit is generous: it costs time only where something is wrong.
 */
export const expect = playwrightExpect.configure({ timeout: 30_000 })
