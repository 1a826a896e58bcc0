import type { Invoice } from '@counterfoil/contract/invoices'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { isCompletePdf, captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const PAGE_SIZE = 25

const PHONE_TOUCH = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const BANNER = 'Our server returned error, try again later'

test('[INV-01][INV-04][INV-05][GRID-01] the list stands newest first with the state of each invoice, a way to pay exactly what can be paid, and the PDF of each, and sorts by every column', async () => {
  const page = await openInvoicesAs('demo')
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  await expectNewestFirst(page, invoices.slice(0, PAGE_SIZE))
  await expectPayLinks(page, invoices)
  await expectOneLineEach(page)
  await savePdfs(page, invoices.slice(0, 3))
  await failToSavePdf(page, invoices[0])
  await sortByEveryColumn(page, invoices)
})

const expectNewestFirst = async (page: Page, invoices: Invoice[]): Promise<void> => {
  await expect.poll(() => readNumbers(page)).toEqual(numbersOf(invoices))
  await expect(page.getByRole('columnheader', { name: 'Issued' })).toHaveAttribute('aria-sort', 'descending')
  const paid = page.getByRole('row').filter({ has: page.getByText('Paid', { exact: true }) })
  const paidNumbers = numbersOf(invoices.filter(({ paid, isCredited }) => paid && !isCredited))
  await expect(paid.getByRole('rowheader')).toHaveText(paidNumbers)
  expect(paidNumbers.length).toBeGreaterThan(0)
}

const expectPayLinks = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const payable = invoices.filter(({ canPay }) => canPay)
  expect(payable.length).toBeGreaterThan(0)
  expect(payable.length).toBeLessThan(invoices.length)
  const links = page.getByRole('table').getByRole('link')
  const readLinks = () => links.evaluateAll((all) => all.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]))
  await expect.poll(readLinks).toEqual(payable.map(({ number, payToken }) => [`Pay ${number}`, `/pay/${payToken}`]))
}

/** On a wide screen number and days stand on one line each. */
const expectOneLineEach = async (page: Page): Promise<void> => {
  const lines = await page.getByRole('table').evaluate((table) =>
    [...table.querySelectorAll('tbody tr')].flatMap((row) =>
      [1, 3, 4].map((column) => {
        const texts = document.createTreeWalker(row.children[column] ?? row, NodeFilter.SHOW_TEXT)
        const text = document.createRange()
        while (texts.nextNode()) text.selectNodeContents(texts.currentNode)
        return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size
      }),
    ),
  )
  expect(new Set(lines)).toEqual(new Set([1]))
}

/** Each PDF is saved under its invoice's number and is whole; a double press fetches it once. */
const savePdfs = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const requests = collectApiRequests(page)
  for (const { number } of invoices) {
    const button = page.getByRole('button', { name: `Download PDF of ${number}` })
    const { name, content } = await captureDownload(page, () => button.dblclick())
    expect([name, isCompletePdf(content)]).toEqual([`${number}.pdf`, true])
  }
  expect(requests.map(requestLine).filter((line) => /invoices\/\d+$/.test(line))).toHaveLength(invoices.length)
}

/** What failed is shown beside its button, without a banner. */
const failToSavePdf = async (page: Page, invoice: Invoice | undefined): Promise<void> => {
  await failRequests(page, `**/v1/ec/invoices/${invoice?.id}`)
  await page.getByRole('button', { name: `Download PDF of ${invoice?.number}` }).click()
  await expect(rowOf(page, invoice?.number ?? '').getByText('The file could not be fetched. Try again.')).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
}

/** Every column sorts both ways, says so, and by what it means. */
const sortByEveryColumn = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const byText = new Intl.Collator(undefined, { numeric: true })
  const orders: Record<string, (a: Invoice, b: Invoice) => number> = {
    Invoice: (a, b) => byText.compare(a.number, b.number),
    Period: (a, b) => byText.compare(periodKey(a), periodKey(b)),
    Issued: (a, b) => byText.compare(a.dateInvoice, b.dateInvoice),
    Due: (a, b) => byText.compare(a.dateDue, b.dateDue),
    Amount: (a, b) => a.amount - b.amount,
    'Amount due': (a, b) => a.amountDue - b.amountDue,
  }
  for (const [column, order] of Object.entries(orders)) {
    const head = page.getByRole('columnheader', { name: column, exact: true })
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort')
    const first = (await head.getAttribute('aria-sort')) ?? ''
    for (const direction of first === 'descending' ? (['descending', 'ascending'] as const) : (['ascending', 'descending'] as const)) {
      await expect(head).toHaveAttribute('aria-sort', direction)
      const sign = direction === 'ascending' ? 1 : -1
      const expected = numbersOf(invoices.toSorted((a, b) => sign * order(a, b))).slice(0, PAGE_SIZE)
      expect({ column, direction, numbers: await readNumbers(page) }).toEqual({ column, direction, numbers: expected })
      await head.getByRole('button').click()
    }
    await expect(page.locator('[aria-sort]')).toHaveCount(1)
  }
}

test('[GRID-02][INV-04] while the list is on its way a spinner stands in its place; where it fails it can be asked for again, and only the brand raises the banner; where payments are off nothing has a link to pay', async () => {
  const page = await signInAs('none')
  const { promise: isWaitedFor, resolve: answer } = Promise.withResolvers<void>()
  const stopFailing = await failRequests(page, '**/v1/ec/invoices', async (route) => {
    await isWaitedFor
    await route.fulfill({ status: 500, json: { message: 'broken' } })
  })
  await failRequests(page, '**/v1/brands-settings/*')
  await page.goto('/invoices')
  await expect(page.getByText('Loading Invoices')).toBeVisible()
  const banner = page.getByRole('alert').filter({ hasText: BANNER })
  await expect(banner).toHaveText(BANNER)
  await banner.getByRole('button', { name: 'Close' }).click()
  await expect(banner).toHaveCount(0)

  answer()
  await expect(page.getByText('Invoices could not be loaded.')).toBeVisible()
  await expect(page.getByText('Loading Invoices')).toHaveCount(0)
  await expect(page.getByText('There are no invoices yet')).toHaveCount(0)
  await expect(banner).toHaveCount(0)
  stopFailing()
  await page.getByRole('button', { name: 'Try again: Invoices' }).click()
  const table = page.getByRole('table', { name: 'Invoices' })
  await expect.poll(() => table.getByText('Overdue', { exact: true }).count()).toBeGreaterThan(0)
  await expect(table.getByRole('link')).toHaveCount(0)
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  expect(invoices.filter(({ canPay, payToken }) => canPay || payToken !== null)).toEqual([])
  await page.getByRole('columnheader', { name: 'Due', exact: true }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Due', exact: true })).toHaveAttribute('aria-sort')
})

test('[GRID-01] 190 invoices stand 25 a page, with arrows, first and last page, two neighbours either side and gaps; 25 stand on one, and there is nothing to turn', async () => {
  const page = await openInvoicesAs('demo')
  const [one] = await getFromApi<[Invoice]>(page, '/v1/ec/invoices')
  // No two have the same amount.
  let all = Array.from({ length: 190 }, (_, at) => ({ ...one, id: at + 1, number: `NMB-${1_000 - at}`, amount: ((at * 79) % 191) + 1 }))
  await page.route('**/v1/ec/invoices', (route) => route.fulfill({ json: all }))
  const loadAgain = () => page.evaluate(() => new BroadcastChannel('paymentWatch').postMessage('paid'))
  await loadAgain()
  const expected = (from: number) => numbersOf(all.slice(from, from + PAGE_SIZE))
  const pagination = paginationOf(page)
  await expect.poll(() => readPageButtons(pagination)).toBe('1 2 3 … 8')
  await expect.poll(() => readNumbers(page)).toEqual(expected(0))
  await expect(pagination.getByRole('button', { name: 'Previous page' })).toHaveAttribute('aria-disabled', 'true')

  await pagination.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => readNumbers(page)).toEqual(expected(25))
  await expect(pagination.getByRole('button', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page')
  await pagination.getByRole('button', { name: 'Page 4', exact: true }).click()
  await expect.poll(() => readPageButtons(pagination)).toBe('1 2 3 4 5 6 7 8')
  await pagination.getByRole('button', { name: 'Page 8', exact: true }).click()
  await expect.poll(() => readNumbers(page)).toEqual(expected(175))
  await expect.poll(() => readPageButtons(pagination)).toBe('1 … 6 7 8')
  await expect(pagination.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
  await pagination.getByRole('button', { name: 'Previous page' }).click()
  await expect.poll(() => readNumbers(page)).toEqual(expected(150))

  // Sorting goes back to page 1 and orders all pages, not only the current one.
  await page.getByRole('columnheader', { name: 'Amount', exact: true }).getByRole('button').click()
  await expect.poll(() => readPageButtons(pagination)).toBe('1 2 3 … 8')
  await expect(pagination.getByRole('button', { name: 'Page 1', exact: true })).toHaveAttribute('aria-current', 'page')
  expect(await readNumbers(page)).toEqual(numbersOf(all.toSorted((a, b) => a.amount - b.amount)).slice(0, PAGE_SIZE))

  all = all.slice(0, PAGE_SIZE)
  await loadAgain()
  await expect(pagination).toHaveCount(0)
  await expect.poll(async () => (await readNumbers(page)).toSorted()).toEqual(numbersOf(all).toSorted())
})

test('[EASE-04] what can be paid is selected over all pages and filters, in a bar that stays in view and hides no focus', async () => {
  const page = await openInvoicesAs('demo', { viewport: { width: 1_024, height: 600 } })
  const payable = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).filter(({ canPay }) => canPay)
  const names = payable.map(({ number }) => `Select Invoice ${number}`)
  const boxes = page.locator('tbody').getByRole('checkbox')
  expect(await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label')))).toEqual(names)

  const bar = page.getByRole('region', { name: 'Payment', exact: true })
  const pay = bar.getByRole('button', { name: /^Pay/ })
  await expect.poll(() => isInView(bar)).toBe(true)
  // What is owed and yet not to be paid here, so that the bar's sum and that of the list belong together.
  await expect(bar.getByText('A$91.74 on its way', { exact: true })).toBeVisible()
  await expect(pay).toBeDisabled()
  await bar.getByRole('button', { name: 'Select all due' }).click()
  const cents = payable.reduce((sum, { amountDue }) => sum + Math.round(amountDue * 100), 0)
  const sum = `A$${new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2 }).format(cents / 100)}`
  await expect(pay).toHaveText(`Pay ${payable.length} invoices, ${sum}`)
  await expect(bar.getByText(/on its way/)).toHaveCount(0)
  // What was pressed is done, so that the focus goes on to the way back; the foot says what else is due.
  await expect(bar.getByRole('button', { name: 'Select all due' })).toHaveCount(0)
  await expect(bar.getByRole('button', { name: 'Clear selection' })).toBeFocused()
  await expect(page.locator('tfoot').getByText('A$91.74 on its way', { exact: true })).toBeVisible()

  // Sorting and filtering leave the selection as it is.
  await page.getByRole('columnheader', { name: 'Due', exact: true }).getByRole('button').click()
  await page.getByRole('radio', { name: /^Paid/ }).click()
  await expect(boxes).toHaveCount(0)
  await expect(pay).toHaveText(`Pay ${payable.length} invoices, ${sum}`)
  await page.getByRole('radio', { name: /^All/ }).click()

  // Focus never goes under the bar, forwards nor backwards.
  const barTop = (await bar.boundingBox())?.y ?? 0
  await page
    .getByRole('textbox', { name: 'Search' })
    .or(page.getByRole('searchbox', { name: 'Search' }))
    .focus()
  for (let step = 0; step < 24; step += 1) {
    await page.keyboard.press('Tab')
    // A table that scrolls sideways can have the focus as a whole; it is taller than the window.
    const bottom = await page.evaluate(() => {
      const focused = document.activeElement
      const box = focused?.getBoundingClientRect() ?? new DOMRect()
      return focused?.closest('[aria-label="Payment"]') || box.height > innerHeight / 2 ? 0 : box.bottom
    })
    expect([step, bottom <= barTop]).toEqual([step, true])
  }

  // An invoice that was paid in another tab leaves the selection.
  const [gone] = payable
  await page.route('**/v1/ec/invoices', async (route) => {
    const list = (await (await route.fetch()).json()) as Invoice[]
    await route.fulfill({ json: list.map((one) => (one.id === gone?.id ? { ...one, canPay: false, paid: true, invoiceStatus: 11 } : one)) })
  })
  await page.evaluate(() => new BroadcastChannel('paymentWatch').postMessage('paid'))
  await expect(pay).toHaveText(payable.length === 2 ? /^Pay 1 invoice, A\$/ : new RegExp(`^Pay ${payable.length - 1} invoices`))
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(pay).toBeDisabled()
  await expect(bar.getByRole('button', { name: 'Select all due' })).toBeFocused()
})

test('[EASE-05][EASE-06] the list is searched and filtered in the address, summed exactly, and saved as CSV, ZIP and PDF', async () => {
  const page = await openInvoicesAs('demo', {}, '/invoices?status=paid&search=nmb')
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  const paid = numbersOf(invoices.filter(({ paid, isCredited }) => paid && !isCredited))
  const expectPaid = async (): Promise<void> => {
    await expect(page.getByRole('radio', { name: /^Paid/ })).toBeChecked()
    await expect(page.getByLabel('Search')).toHaveValue('nmb')
    await expect.poll(() => readNumbers(page)).toEqual(paid.slice(0, PAGE_SIZE))
  }
  await expectPaid()
  await openSection(page, 'Dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await page.goBack()
  await expectPaid()

  await page.getByRole('radio', { name: /^All/ }).click()
  await expect(page).toHaveURL('/invoices?search=nmb')
  await expectSearch(page, invoices)
  await saveYear(page, invoices)
})

const expectSearch = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const [first] = invoices
  await page.getByLabel('Search').fill(String(first?.amount))
  await expect(page).toHaveURL(new RegExp(`search=${first?.amount}`))
  await expect.poll(() => readNumbers(page)).toContain(first?.number)
  await page.getByLabel('Search').fill('no such invoice')
  await expect(page).toHaveURL(/search=no\+such\+invoice/)
  await expect(page.getByText('No invoices match your search and filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(page).toHaveURL('/invoices')
  await expect.poll(async () => (await readNumbers(page)).length).toBe(PAGE_SIZE)
}

/** The invoices of the first year, with their sum, in every kind of file. */
const saveYear = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const year = invoices.at(-1)?.dateInvoice.slice(0, 4) ?? ''
  const ofYear = invoices.filter(({ dateInvoice }) => dateInvoice.startsWith(year))
  await page.getByRole('button', { name: 'Year' }).click()
  await page.getByRole('option', { name: year }).click()
  await expect(page).toHaveURL(`/invoices?year=${year}`)
  await expect.poll(() => readNumbers(page)).toEqual(numbersOf(ofYear))
  const cents = ofYear.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  const sum = `A$${new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2 }).format(cents / 100)}`
  await expect(page.locator('tfoot').getByRole('cell').filter({ hasText: sum })).toHaveCount(1)

  const download = async (entry: RegExp) => {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    return captureDownload(page, () => page.getByRole('menuitem', { name: entry }).click())
  }
  const csv = await download(/as CSV$/)
  expect([csv.name, csv.content.toString().trimEnd().split('\n').length]).toEqual([`Invoices_${year}.csv`, ofYear.length + 1])
  const zip = await download(/^ZIP/)
  expect([zip.name, zip.content.subarray(0, 4).toString('latin1')]).toEqual([`Invoices_${year}.zip`, 'PK\u0003\u0004'])
  await expect(page.getByText(`Saved Invoices_${year}.zip`)).toBeVisible()
  const pdf = await download(/^One PDF/)
  expect([pdf.name, pdf.content.subarray(0, 5).toString('latin1')]).toEqual([`Invoices_${year}.pdf`, '%PDF-'])
}

test('[EASE-04][EASE-05] on a phone the filters stand behind one button, and everything answers to a finger', async () => {
  const page = await openInvoicesAs('eu', { ...PHONE_TOUCH })
  await expect(page.getByRole('radio', { name: /^Unpaid/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('radio', { name: /^Unpaid/ }).click()
  await expect(page).toHaveURL('/invoices?status=unpaid')
  await expect(page.getByRole('button', { name: 'Filters 1 set' })).toBeVisible()
  const bar = page.getByRole('region', { name: 'Payment', exact: true })
  await bar.getByRole('button', { name: 'Select all due' }).click()
  await expect.poll(() => isInView(bar)).toBe(true)
  await expect(bar.getByRole('button', { name: /^Pay \d+ Rechnung(en)?, €/ })).toBeEnabled()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_TOUCH.viewport.width)
  const small = await page
    .getByRole('main')
    .locator('button, select, a, label:has(input), input[type=search]')
    .evaluateAll((all) =>
      all
        .filter(
          (one) =>
            one.closest('[aria-hidden=true]') === null && one.getClientRects().length > 0 && one.getBoundingClientRect().height < 43.5,
        )
        .map((one) => one.textContent || one.outerHTML),
    )
  expect(small).toEqual([])
})

const openInvoicesAs = async (username: string, options: BrowserContextOptions = {}, address = '/invoices'): Promise<Page> => {
  const page = await openPageAs(username, address, options)
  await expect(page.getByRole('table')).toBeVisible()
  return page
}

/** Whether the whole of an element stands in the window, without scrolling. */
const isInView = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight)

const numbersOf = (invoices: Invoice[]): string[] => invoices.map(({ number }) => number)

/** The invoice numbers on the page, in order. */
const readNumbers = (page: Page): Promise<string[]> => page.locator('tbody').getByRole('rowheader').allTextContents()

const rowOf = (page: Page, number: string): Locator => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: number }) })

const paginationOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Invoices: pages' })

/** The page buttons between the arrows, as in "1 … 4 5 6". */
const readPageButtons = async (pagination: Locator): Promise<string> => {
  const words = await pagination.evaluate((nav) => [...nav.children].map((child) => child.textContent))
  return words.filter((word) => word !== '').join(' ')
}

/** An invoice without a period stands before all others. */
const periodKey = ({ periodStart, dateInvoice }: Invoice): string => (periodStart === null ? '' : dateInvoice)
