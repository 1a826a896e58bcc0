import type { Page } from 'playwright-core'

/** The three local storage keys of a session, null for each that is missing. */
export const readStoredSession = (page: Page): Promise<{ auth: string | null; superUser: string | null; customer: string | null }> =>
  page.evaluate(() => ({
    auth: localStorage.getItem('auth'),
    superUser: localStorage.getItem('is_super_user'),
    customer: localStorage.getItem('current_customer_id'),
  }))
