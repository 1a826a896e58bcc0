import type { FrameLocator, Page } from 'playwright-core'
import { expect } from '../support/expect.ts'

/** Stripe's test cards, by what happens to a payment with them. */
export const TEST_CARDS = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  processingError: '4000000000000119',
  /** Can be stored, and is declined at every charge. */
  chargeDeclined: '4000000000000341',
  /** Requires 3-D Secure when it is stored, and not again. */
  confirmsOnce: '4000002500003155',
  /** Requires 3-D Secure each time. */
  confirmsAlways: '4000002760003184',
  /** Requires 3-D Secure, and is declined after it. */
  confirmsThenRefused: '4000008260003178',
} as const

const frameByTitle = (page: Page, title: string): FrameLocator => page.frameLocator(`iframe[title="${title}"]`)

const SINGLE_FRAME = 'Secure card payment input frame'
const SEPARATE_FRAMES = {
  number: 'Secure card number input frame',
  expiry: 'Secure expiration date input frame',
  code: 'Secure CVC input frame',
}

/** Fills in a card in Stripe's own frames, whether they are one or three. */
export const fillCard = async (page: Page, number: string, expiry = '12 / 34', code = '123'): Promise<void> => {
  await expect(page.locator(`iframe[title="${SINGLE_FRAME}"], iframe[title="${SEPARATE_FRAMES.number}"]`).first()).toBeVisible()
  const isSingleFrame = (await page.locator(`iframe[title="${SINGLE_FRAME}"]`).count()) > 0
  const frameOf = (part: keyof typeof SEPARATE_FRAMES): FrameLocator =>
    frameByTitle(page, isSingleFrame ? SINGLE_FRAME : SEPARATE_FRAMES[part])
  const numberField = frameOf('number').getByLabel('Credit or debit card number')
  // A card that was typed before is removed first.
  await numberField.clear()
  await numberField.fill(number)
  await frameOf('expiry').getByLabel('Credit or debit card expiration date').fill(expiry)
  await frameOf('code').getByLabel('Credit or debit card CVC/CVV').fill(code)
}

/** Fills in an Australian bank account in Stripe's own frame. */
export const fillAuBankAccount = async (page: Page, bsb: string, account: string): Promise<void> => {
  const frame = frameByTitle(page, 'Secure bank account input frame')
  await frame.getByLabel('BSB').fill(bsb)
  await frame.getByLabel('Account number').fill(account)
}

/** Fills in an IBAN in Stripe's own frame. */
export const fillIban = (page: Page, iban: string): Promise<void> =>
  frameByTitle(page, 'Secure IBAN input frame').getByLabel('IBAN').fill(iban)

/** Completes or fails the 3-D Secure challenge on the bank's page. */
export const answer3dSecure = async (page: Page, answer: 'Complete' | 'Fail'): Promise<void> => {
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  await page.getByRole('button', { name: answer }).click()
}

/** Fills in a bank account on the provider's own page, and submits it. */
export const submitBankAccountPage = async (
  page: Page,
  holder: string,
  bank: string,
  bankNumber: string,
  account: string,
): Promise<void> => {
  await page.getByLabel('Account holder name').fill(holder)
  await page.getByLabel('Email').fill('payer@example.com')
  await page.getByLabel(bank).fill(bankNumber)
  await page.getByLabel('Account number').fill(account)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
}
