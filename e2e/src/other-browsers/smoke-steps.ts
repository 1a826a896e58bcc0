import type { BrowserPage } from './browser-page.ts'

const PASSWORD = 'Counterfoil-2026!'
const ENTER = '\uE007'
const TAB = '\uE004'
const CARD = '4242424242424242'
const FRAME_CARD = '4000300020001000'

/** Where the frame of a payment provider has its first field, from its upper left corner. */
const FIRST_FIELD = { x: 60, y: 60 }

interface Step {
  readonly name: string
  readonly run: (page: BrowserPage, url: string) => Promise<void>
}

const signIn = async (page: BrowserPage, url: string, username: string): Promise<void> => {
  await page.open(`${url}/login`)
  await page.fill('Username', username)
  await page.fill('Password', PASSWORD)
  await page.click('button', 'Sign In')
}

const signOut = async (page: BrowserPage, url: string): Promise<void> => {
  await page.open(`${url}/logout`)
  await page.see('button', 'Sign In')
}

const waitForClosedList = (page: BrowserPage): Promise<void> =>
  page.waitFor('the closed list', 'return document.querySelector("[role=listbox]") === null')

/** Types a card into the frames of a payment provider. */
const typeCard = async (page: BrowserPage): Promise<void> => {
  await page.fill('Secure card number input frame', CARD, 'frame')
  await page.fill('Secure expiration date input frame', '1234', 'frame')
  await page.fill('Secure CVC input frame', '123', 'frame')
}

/** Types a card into the frame that a payment provider fills alone, from its first field to its button. */
const payInFrame = async (page: BrowserPage): Promise<void> => {
  // The page in the frame tells its height once it can be filled.
  await page.waitFor('the form in the frame', 'return (document.querySelector("iframe")?.style.height ?? "") !== ""')
  await page.clickAt('frame', 'Payment details', FIRST_FIELD)
  await page.type(['Casey Payer', FRAME_CARD, '12 / 31', `123${ENTER}`].join(TAB))
}

const signInByCompany = async (page: BrowserPage, url: string, company: string): Promise<void> => {
  await page.open(`${url}/login#company-name`)
  await page.fill('Company Name', company)
  await page.type(ENTER)
  await page.fill('Work email', 'sso@orbit.example')
  await page.fill('Work password', PASSWORD)
  await page.click('button', 'Continue')
  await page.see('heading', 'Latest 5 Invoices')
}

/** Opens the payment link of the first invoice that the user may pay. */
const openPayLink = async (page: BrowserPage, url: string): Promise<void> => {
  await page.open(`${url}/invoices`)
  await page.click('link', 'Pay', true)
}

/** What is tried in each browser, in this order, with the users of the demo data. */
export const STEPS: readonly Step[] = [
  { name: 'sign in', run: (page, url) => signIn(page, url, 'us') },
  { name: 'dashboard', run: (page) => page.see('heading', 'Latest 5 Invoices') },
  {
    name: 'list of invoices',
    run: async (page, url) => {
      await page.open(`${url}/invoices`)
      await page.see('button', 'Download PDF of', true)
    },
  },
  {
    name: 'select an invoice',
    run: async (page) => {
      await page.click('checkbox', 'Select', true)
      await page.see('button', 'Clear selection')
    },
  },
  {
    name: 'search',
    run: async (page) => {
      await page.fill('Search', 'no such invoice')
      await page.see('text', 'No invoices match your search', true)
      await page.open(`${await page.evaluate('return location.origin')}/invoices`)
    },
  },
  {
    name: 'PDF',
    run: async (page) => {
      await page.click('button', 'Download PDF of', true)
      await page.waitFor('the PDF', 'return performance.getEntriesByType("resource").some(({ name }) => /invoices\\/\\d+$/.test(name))')
    },
  },
  {
    name: 'usage with a combo box and dates',
    run: async (page, url) => {
      await page.open(`${url}/usage`)
      await page.click('field', 'Filter by connection')
      await page.click('option', 'All Connections')
      await waitForClosedList(page)
      await page.click('button', 'Filter by timeframe', true)
      await page.click('option', 'Custom range')
      await waitForClosedList(page)
      await page.choose('From (UTC)', '2026-01-02')
      await page.click('button', 'Show')
      await page.waitFor('the chosen day', 'return location.search.includes("from=2026-01-02")')
    },
  },
  {
    name: 'report',
    run: async (page, url) => {
      await page.open(`${url}/reports`)
      await page.click('button', 'Generate', true)
      await page.waitFor('the dialog', 'return document.querySelector("[role=dialog]") !== null')
    },
  },
  {
    name: 'cost centre',
    run: async (page, url) => {
      await page.open(`${url}/cost-centre`)
      await page.see('heading', 'Cost Centre', true)
    },
  },
  {
    name: 'add a card',
    run: async (page, url) => {
      await page.open(`${url}/payment-types`)
      await page.click('button', 'Add card')
      await page.waitFor('the dialog', 'return document.querySelector("[role=dialog] iframe") !== null')
    },
  },
  {
    name: 'pay by link, with fields of the provider',
    run: async (page, url) => {
      await openPayLink(page, url)
      await page.fill('Name on card', 'Casey Payer')
      await page.choose('Country', 'US')
      for (const [label, text] of [
        ['Address', '1 Main Street'],
        ['City', 'Portland'],
        ['State or province', 'ME'],
        ['Postcode or ZIP', '04101'],
      ] as const)
        await page.fill(label, text)
      await typeCard(page)
      await page.click('button', 'Pay $', true)
      await page.see('heading', 'Payment Successful')
    },
  },
  { name: 'sign out', run: signOut },
  {
    name: 'pay by link, with a frame of the provider',
    run: async (page, url) => {
      await signIn(page, url, 'ippay')
      await page.see('heading', 'Latest 5 Invoices')
      await openPayLink(page, url)
      await payInFrame(page)
      await page.see('heading', 'Payment Successful')
      await signOut(page, url)
    },
  },
  {
    name: 'single sign-on',
    run: async (page, url) => {
      await signInByCompany(page, url, 'orbit')
      await signOut(page, url)
      await signInByCompany(page, url, 'orbit-saml')
    },
  },
  { name: 'sign out after single sign-on', run: signOut },
]
