import type { FrameLocator, Page } from 'playwright-core'
import { eventually } from '../support/people.ts'

/** Stripe's test cards, by what becomes of them. */
export const CARDS = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  processingError: '4000000000000119',
  /** Is stored, and then refused whenever it is charged. */
  chargeDeclined: '4000000000000341',
  /** Asks for a confirmation when it is stored, and not again. */
  confirmsOnce: '4000002500003155',
  /** Asks for a confirmation each time. */
  confirmsAlways: '4000002760003184',
  /** Asks for a confirmation, and is refused after it. */
  confirmsThenRefused: '4000008260003178',
} as const

const field = (page: Page, title: string): FrameLocator => page.frameLocator(`iframe[title="${title}"]`)

const WHOLE = 'Secure card payment input frame'
const SPLIT = { number: 'Secure card number input frame', expiry: 'Secure expiration date input frame', code: 'Secure CVC input frame' }

/** Types a card into the payment company's own fields, whether they are one or three. */
export const typeCard = async (page: Page, number: string, expiry = '12 / 34', code = '123'): Promise<void> => {
  await page.locator(`iframe[title="${WHOLE}"], iframe[title="${SPLIT.number}"]`).first().waitFor()
  const isWhole = (await page.locator(`iframe[title="${WHOLE}"]`).count()) > 0
  const at = (part: keyof typeof SPLIT): FrameLocator => field(page, isWhole ? WHOLE : SPLIT[part])
  const typed = at('number').getByLabel('Credit or debit card number')
  // As people do who type another card over one: what stood there goes first.
  await typed.clear()
  await typed.fill(number)
  await at('expiry').getByLabel('Credit or debit card expiration date').fill(expiry)
  await at('code').getByLabel('Credit or debit card CVC/CVV').fill(code)
}

/** Types an Australian account into the payment company's own field. */
export const typeAuAccount = async (page: Page, bsb: string, account: string): Promise<void> => {
  const frame = field(page, 'Secure bank account input frame')
  await frame.getByLabel('BSB').fill(bsb)
  await frame.getByLabel('Account number').fill(account)
}

/** Types an IBAN into the payment company's own field. */
export const typeIban = (page: Page, iban: string): Promise<void> => field(page, 'Secure IBAN input frame').getByLabel('IBAN').fill(iban)

/** Answers the bank's question on its own page: the customer proves who they are, or does not. */
export const answerBank = async (page: Page, answer: 'Complete' | 'Fail'): Promise<void> => {
  await page.getByRole('heading', { name: '3D Secure 2 Test Page' }).waitFor()
  await page.getByRole('button', { name: answer }).click()
}

export interface Booking {
  readonly id: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly method: string
}

/** What the payment company has booked so far. */
export const ledger = async (page: Page, sandboxUrl: string): Promise<Booking[]> => (await page.request.get(`${sandboxUrl}/ledger`)).json()

/** Waits until the company has booked money that it had not before, and gives the bookings; what it refused moved none. */
export const newBookings = async (page: Page, sandboxUrl: string, before: readonly Booking[], count = 1): Promise<Booking[]> => {
  const known = new Set(before.map(({ id }) => id))
  const found = async (): Promise<Booking[]> =>
    (await ledger(page, sandboxUrl)).filter(({ id, status }) => !known.has(id) && status !== 'failed')
  await eventually(async () => (await found()).length).toBe(count)
  return found()
}

/** Gives an account on the company's own page for it, and goes back. */
export const storeOnCompanyPage = async (page: Page, holder: string, bank: string, bankNumber: string, account: string): Promise<void> => {
  await page.getByLabel('Account holder name').fill(holder)
  await page.getByLabel('Email').fill('payer@example.com')
  await page.getByLabel(bank).fill(bankNumber)
  await page.getByLabel('Account number').fill(account)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
}
