import { expect, test } from 'vitest'
import { enter, PHONE } from '../support/browser.ts'
import { usePages } from '../support/pages.ts'
import { SCREENS, waitForScreen } from './portal-screens.ts'

const { openPage } = usePages()

const LONG_WORD = 'W'.repeat(144)

/** The fields that operators and customers fill, with names, labels, numbers, descriptions and addresses of their own. */
const OWN_TEXT =
  /^(name|label|singular|plural|number|description|email|username|displayName|companyName|brandName|serviceName|productName|productLabel|bundleName|unitLabel|agreementName|siteName|siteLabel|InvoiceNumber|invoiceNumber|costCentre|reportName|recordType|serviceItem\w*|extraField\d|help(Email|Phone|Hours)|invoiceLabel\w*|endServiceItemDisplayName|paymentTypeDisclaimer|confirmationMessageForCharging|line[12]|city|state|nameOnAccount|bankName|accountHolderName)$/

const withLongWords = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => withLongWords(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withLongWords(part, name)]))
  return typeof value === 'string' && value !== '' && OWN_TEXT.test(key) ? LONG_WORD : value
}

const NAMES: ReadonlySet<string> = new Set([
  'login',
  'dashboard',
  'spending',
  'invoices',
  'transactions',
  'usage',
  'reports',
  'cost-centre',
  'service-items',
  'profile',
  'payment-types',
])
/** Reports are made under names that are not the usual ones here. */
const screens = SCREENS.filter(({ name }) => NAMES.has(name)).map((screen) =>
  screen.name === 'reports' ? { ...screen, prepare: undefined } : screen,
)

test.each(screens)('[EASE-11] $name: one long word in any text of others makes no page of a phone wider', async (screen) => {
  const page = await openPage({ viewport: PHONE })
  await page.route(/\/v1\//, async (route) => {
    const answer = await route.fetch()
    const isJson = answer.headers()['content-type']?.includes('json') === true
    await route.fulfill({ response: answer, ...(isJson ? { json: withLongWords(await answer.json()) } : {}) })
  })
  if (screen.username === null) await page.goto(screen.path)
  else await enter(page, screen.username, undefined, screen.path)
  await waitForScreen(page)
  await screen.prepare?.(page)
  await expect.poll(() => page.getByText(LONG_WORD).count()).toBeGreaterThan(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
})
