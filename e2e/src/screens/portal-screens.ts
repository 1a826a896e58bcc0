import { dayOf, firstOfMonth } from '@counterfoil/contract/kit/day'
import type { Page } from 'playwright-core'
import { PHONE } from '../support/browser.ts'

/** A state of a screen: who sees it, its path, and what is opened on it. */
export interface PortalScreen {
  readonly name: string
  /** Null where nobody is signed in. */
  readonly username: string | null
  readonly path: string
  /** The only width on which it exists. Both by default. */
  readonly only?: 'desktop' | 'phone'
  readonly prepare?: (page: Page) => Promise<void>
}

const openSettings = (page: Page): Promise<void> => page.getByRole('button', { name: 'Settings' }).click()
const openBurger = (page: Page): Promise<void> => page.getByRole('button', { name: 'Menu' }).click()
const openCustomers = (page: Page): Promise<void> =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /Customer$/ })
    .click()

const failToSignIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Username').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('alert').getByRole('paragraph').waitFor()
}

const mistypeConfirmation = async (page: Page): Promise<void> => {
  await page.getByLabel('New Password', { exact: true }).fill('harbour-lantern-8821')
  await page.getByLabel('Confirm New Password', { exact: true }).fill('harbour')
  await page.getByText("Password confirmation doesn't match").waitFor()
}

const mistypeRegistration = async (page: Page): Promise<void> => {
  await page.getByLabel('Password', { exact: true }).fill('harbour')
  await page.getByText('Password shorter than 8 characters.').waitFor()
}

const openCostCentre = async (page: Page): Promise<void> => {
  await page.getByRole('rowheader').first().getByRole('button').click()
  await page.getByRole('dialog').waitFor()
}

const openReport =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: `Generate ${name}` }).click()
    await page.getByRole('dialog').waitFor()
  }

/** Makes a report unless there is one, so that the list of files is not empty. */
const makeReport = async (page: Page): Promise<void> => {
  const file = page.getByRole('button', { name: /^Download / }).first()
  await page.getByRole('table', { name: 'Recent files' }).or(page.getByText('No files yet.')).waitFor()
  if (await file.isVisible()) return
  await openReport('Account Statement')(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click()
  await file.waitFor()
}

const openAddCard = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('dialog').getByLabel('Country').waitFor()
}

const openAddAccount = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add bank account' }).click()
  await page.getByRole('dialog').getByLabel('Email').waitFor()
}

const selectAllDue = (page: Page): Promise<void> => page.getByRole('button', { name: 'Select all due' }).click()
const openFilters = (page: Page): Promise<void> => page.getByRole('button', { name: 'Filters' }).click()

const openBulkPayment = async (page: Page): Promise<void> => {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: /^Pay \d/ }).click()
  await page.getByRole('region', { name: 'Payment summary' }).waitFor()
  await page.getByText('Loading your payment methods').waitFor({ state: 'detached' })
}

export const openBulkPaymentCard = async (page: Page): Promise<void> => {
  await openBulkPayment(page)
  await page
    .getByRole('button', { name: /^(Continue|New Payment Method)$/ })
    .first()
    .click()
  await page.getByLabel('Name on card').waitFor()
}

/** Presses the first Pay link of the list. On a phone the links stand behind a press on their card. */
const pressPay = async (page: Page): Promise<void> => {
  const isPhone = (page.viewportSize()?.width ?? 0) <= PHONE.width
  if (isPhone)
    await page
      .getByRole('button', { name: /^Details of / })
      .first()
      .click()
  await page.getByRole('link', { name: /^Pay / }).first().click()
}

const openPayLink = async (page: Page): Promise<void> => {
  await pressPay(page)
  await page.getByLabel('Name on card').waitFor()
}

const openPayLinkAsStranger = async (page: Page): Promise<void> => {
  await openPayLink(page)
  await reloadAsStranger(page)
}

/** Shows the page of a link as it is for whoever has not signed in. The session is put back for the next screen. */
export const reloadAsStranger = async (page: Page): Promise<void> => {
  const session = await page.evaluate(() => Object.entries(localStorage))
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByLabel('Name on card').waitFor()
  await page.evaluate((entries) => entries.forEach(([key, value]) => localStorage.setItem(key, value)), session)
}

const openPayInside = async (page: Page): Promise<void> => {
  await pressPay(page)
  await page.getByRole('region', { name: 'Payment summary' }).waitFor()
}

const SIGN_IN_SCREENS: readonly PortalScreen[] = [
  { name: 'login', username: null, path: '/login' },
  { name: 'login-failed', username: null, path: '/login', prepare: failToSignIn },
  { name: 'login-forgot', username: null, path: '/login#forgot-password' },
  { name: 'login-sent', username: null, path: '/login#reset-sent' },
  { name: 'login-company', username: null, path: '/login#company-name' },
  { name: 'login-company-unknown', username: null, path: '/login?e=Unexpected+redirect+error' },
  { name: 'registration', username: null, path: '/finish-registration/x', prepare: mistypeRegistration },
  { name: 'stranger-not-found', username: null, path: '/no-such-page' },
]

const TODAY = dayOf(new Date())
const LAST_TEN_MONTHS = { timeframe: 'custom-range', from: firstOfMonth(TODAY, -9), to: TODAY }

const DEMO_SCREENS: readonly PortalScreen[] = [
  { name: 'dashboard', username: 'demo', path: '/dashboard' },
  { name: 'spending', username: 'demo', path: '/spending' },
  { name: 'invoices', username: 'demo', path: '/invoices' },
  { name: 'invoices-selected', username: 'demo', path: '/invoices', prepare: selectAllDue },
  { name: 'invoices-filters', username: 'demo', path: '/invoices?status=unpaid', only: 'phone', prepare: openFilters },
  { name: 'transactions', username: 'demo', path: '/transactions' },
  { name: 'usage', username: 'demo', path: '/usage' },
  { name: 'usage-range', username: 'demo', path: `/usage?${new URLSearchParams(LAST_TEN_MONTHS)}` },
  { name: 'reports', username: 'demo', path: '/reports', prepare: makeReport },
  { name: 'reports-dialog', username: 'demo', path: '/reports', prepare: openReport('Usage by Cost Centre') },
  { name: 'reports-invoice', username: 'demo', path: '/reports', prepare: openReport('Invoice Detail') },
  { name: 'cost-centre', username: 'demo', path: '/cost-centre' },
  { name: 'cost-centre-edit', username: 'demo', path: '/cost-centre', prepare: openCostCentre },
  { name: 'service-items', username: 'demo', path: '/service-items' },
  { name: 'profile', username: 'demo', path: '/profile' },
  { name: 'settings', username: 'demo', path: '/settings' },
  { name: 'settings-mismatch', username: 'demo', path: '/settings', prepare: mistypeConfirmation },
  { name: 'payment-types', username: 'demo', path: '/payment-types' },
  { name: 'payment-types-card', username: 'demo', path: '/payment-types', prepare: openAddCard },
  { name: 'payment-types-account', username: 'demo', path: '/payment-types', prepare: openAddAccount },
  { name: 'not-found', username: 'demo', path: '/no-such-page' },
  { name: 'settings-menu', username: 'demo', path: '/dashboard', only: 'desktop', prepare: openSettings },
  { name: 'customer-menu', username: 'demo', path: '/dashboard', only: 'desktop', prepare: openCustomers },
  { name: 'burger', username: 'demo', path: '/dashboard', only: 'phone', prepare: openBurger },
]

const BRAND_USERS = ['us', 'uk', 'eu', 'authorize', 'ippay', 'moneris', 'pinch', 'nexio', 'bpoint', 'none', 'sso'] as const

/** Every screen with its states, as the user demo sees it. */
export const SCREENS: readonly PortalScreen[] = [...SIGN_IN_SCREENS, ...DEMO_SCREENS]

/** The first section of every other brand, and screens that differ between brands. */
export const BRAND_SCREENS: readonly PortalScreen[] = [
  ...BRAND_USERS.map((username) => ({ name: `home-${username}`, username, path: '/' })),
  { name: 'invoices-eu', username: 'eu', path: '/invoices' },
  { name: 'bulk-pay-us', username: 'us', path: '/invoices', prepare: openBulkPayment },
  { name: 'bulk-pay-card-us', username: 'us', path: '/invoices', prepare: openBulkPaymentCard },
  { name: 'pay-us', username: 'us', path: '/invoices', prepare: openPayLink },
  { name: 'pay-link-us', username: 'us', path: '/invoices', prepare: openPayLinkAsStranger },
  { name: 'pay-inside', username: 'demo', path: '/invoices', prepare: openPayInside },
  { name: 'settings-none', username: 'none', path: '/settings' },
]

/** Waits until a screen has its heading, its fonts and images, and no spinner, and what can be focused stands still for five frames. */
export const waitForScreen = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' })
  await page.waitForFunction(async () => {
    await document.fonts.ready
    return [...document.images].every((image) => image.complete)
  })
  await page.evaluate(async () => {
    for (let frames = 0, last = ''; frames < 5; ) {
      await new Promise(requestAnimationFrame)
      const now = JSON.stringify([...document.querySelectorAll('a, button, input')].map((one) => one.getBoundingClientRect()))
      frames = now === last ? frames + 1 : 0
      last = now
    }
  })
}

/** Goes to an address of the signed-in app without loading a document, as Back does. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** No screen is at it, so whatever stood before is taken down. */
const NOWHERE = '/no-such-page'

/** Opens a screen afresh. The app loads a new document only for itself, and for the screens that need one of their own. */
export const openScreen = async (page: Page, path: string): Promise<void> => {
  if ((await page.locator('#content').count()) === 0) await page.goto(path)
  else {
    const nowhere = page.getByRole('heading', { level: 1, name: 'Page not found' })
    await goTo(page, NOWHERE)
    await nowhere.waitFor()
    if (path !== NOWHERE) {
      await goTo(page, path)
      await nowhere.waitFor({ state: 'detached' })
    }
  }
  await waitForScreen(page)
}
