import type { Locator, Page } from 'playwright-core'

/** The button that pays, with its amount: "Pay $1,370.81". */
export const payButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay [^\d]*\d[\d.,]*$/ })
