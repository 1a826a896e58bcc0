import type { Locator, Page } from 'playwright-core'
import { expect } from '../support/expect.ts'

/** The button that pays, with its amount: "Pay $1,370.81". */
export const payButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay [^\d]*\d[\d.,]*$/ })

/** Chooses a new card on the page of a payment link, which offers stored ones first. */
export const chooseNewCard = async (page: Page): Promise<void> => {
  const newCard = page.getByRole('radio', { name: 'New card' })
  await expect(newCard.or(page.getByLabel('Name on card')).first()).toBeVisible()
  if ((await newCard.count()) > 0) await newCard.check()
}
