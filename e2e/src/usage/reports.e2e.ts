import { REPORT_POLL_MS, REPORT_STATUS, type Report, type ReportRun } from '@counterfoil/contract/reports'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { PHONE } from '../support/browser.ts'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { isCompletePdf, captureDownload, sizeText } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'
const NAMES = ['Invoice Register', 'Usage by Service', 'Usage by Cost Centre', 'Invoice Detail', 'Account Statement']

test('[RPT-01][RPT-02][EASE-09][GRID-03] the reports stand in a grid that sorts, each with what it needs, and each dialog asks for that; a list that failed to load, of reports or of invoices, can be asked for again', async () => {
  const page = await signInAs('demo')
  const stopFailing = await failRequests(page, '**/v1/ec/reports')
  await page.goto('/reports')
  await expect(page.getByText('Reports could not be loaded.')).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  stopFailing()
  await page.getByRole('button', { name: 'Try again: Reports' }).click()
  await expectGrid(page)
  await askForInvoicesAgain(page)
  await expectFields(page)
  await closeDialog(page)
})

/** The five reports, each with what it is for, its format, what it needs and Generate, sort both ways. */
const expectGrid = async (page: Page): Promise<void> => {
  const table = page.getByRole('table', { name: 'Reports' })
  const offered = await getFromApi<Report[]>(page, '/v1/ec/reports')
  expect(offered.map(({ name }) => name)).toEqual(NAMES)
  const titles = offered.map(({ name, description }) => `${name}${description}`)
  await expect(table.getByRole('rowheader')).toHaveText(titles)
  for (const [name, format, needs] of [
    ['Invoice Register', 'Excel', 'Nothing needed'],
    ['Usage by Service', 'CSV', 'Nothing needed'],
    ['Usage by Cost Centre', 'Excel', 'Needs a service'],
    ['Invoice Detail', 'PDF', 'Needs an invoice'],
    ['Account Statement', 'PDF', 'Needs dates'],
  ] as const)
    await expect(table.getByRole('row').filter({ hasText: name }).getByRole('cell')).toHaveText([format, needs, 'Generate'])
  const head = table.getByRole('columnheader', { name: 'Report', exact: true })
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(table.getByRole('rowheader')).toHaveText(titles.toSorted())
  await head.getByRole('button').click()
  await expect(table.getByRole('rowheader')).toHaveText(titles.toSorted().toReversed())
}

const askForInvoicesAgain = async (page: Page): Promise<void> => {
  const stopFailing = await failRequests(page, '**/v1/ec/invoices')
  await page.getByRole('button', { name: 'Generate Invoice Detail' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Invoices could not be loaded.')).toBeVisible()
  stopFailing()
  await dialog.getByRole('button', { name: 'Try again: Invoices' }).click()
  await expect(fieldOf(dialog, 'Invoice')).toBeVisible()
  await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

/** What a report does not require has a Default. */
const expectFields = async (page: Page): Promise<void> => {
  const asked: Record<string, string[]> = {}
  for (const name of NAMES) {
    const dialog = await openDialog(page, name)
    await expect(dialog.getByRole('heading')).toHaveText(`Generate ${name}`)
    asked[name] = []
    for (const field of ['Date range', 'Service', 'Invoice']) {
      if ((await fieldOf(dialog, field).count()) === 0) continue
      const options = await readOptions(page, dialog, field)
      asked[name].push(`${field}${options.includes('Default') ? '' : ' required'}`)
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  }
  expect(asked).toEqual({
    'Invoice Register': ['Date range'],
    'Usage by Service': ['Date range', 'Service'],
    'Usage by Cost Centre': ['Date range', 'Service required'],
    'Invoice Detail': ['Invoice required'],
    'Account Statement': ['Date range required'],
  })
}

/** Escape and a click beside the dialog close it, and the focus goes back to its button. Open, it is as axe-core wants it. */
const closeDialog = async (page: Page): Promise<void> => {
  const dialog = await openDialog(page, 'Usage by Service')
  await selectOption(page, dialog, 'Date range', 'Custom range')
  expect(await findViolations(page, { scheme: 'light' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Generate Usage by Service')
  await openDialog(page, 'Usage by Service')
  await page.mouse.click(20, 400)
  await expect(dialog).toHaveCount(0)
}

test('[EASE-09][EASE-10][GRID-03] on a phone Generate stands on the line of what a report needs and ends where its format ends; one file has nothing to sort, and its days stay on one line with their times', async () => {
  const page = await signInAs('demo')
  await page.route('**/v1/ec/reports/runs', (route) => route.fulfill({ json: [STATEMENT] }))
  await page.setViewportSize(PHONE)
  await page.goto('/reports')
  const files = page.getByRole('region', { name: 'Recent files' })
  const times = files.getByRole('time')
  await expect(times).toHaveText(['25 Sept 2026, 00:12 UTC', 'until 26 Sept 2026, 00:12 UTC'])
  const heights = await times.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThan(25)
  await expect(files.getByLabel('Sort by')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  const rows = page.getByRole('table', { name: 'Reports' }).getByRole('row')
  for (const name of NAMES) {
    const cells = rows.filter({ hasText: name }).getByRole('cell')
    await expect(cells).toHaveCount(3)
    const parts = [cells.first().locator('span').last(), cells.nth(1).locator('span'), cells.last().getByRole('button')]
    const [tag, words, button] = await Promise.all(parts.map((part) => part.boundingBox()))
    if (!tag || !words || !button) throw new Error(`${name} is not shown`)
    expect([name, Math.abs(button.y + button.height / 2 - words.y - words.height / 2) < 4]).toEqual([name, true])
    expect([name, Math.abs(button.x + button.width - 8 - tag.x - tag.width) < 4]).toEqual([name, true])
  }
  const dialog = await openDialog(page, 'Usage by Service')
  await selectOption(page, dialog, 'Date range', 'Custom range')
  expect(await findViolations(page, { scheme: 'dark' })).toEqual([])
})

/** A file that is ready. */
const STATEMENT: ReportRun = {
  id: 'f1',
  name: 'Account Statement',
  reportId: 5,
  parameters: [],
  path: 'f1',
  fileName: 'Account_Statement.pdf',
  offered: true,
  status: REPORT_STATUS.ready,
  requestedAt: '2026-09-25T00:12:00.000Z',
  requestedBy: 'Mara Holt',
  bySupport: false,
  expiresAt: '2026-09-26T00:12:00.000Z',
  expired: false,
  sizeBytes: 48_000,
  reason: null,
  timeframe: null,
  from: '2026-08-01',
  to: '2026-08-31',
  service: null,
  invoice: null,
}

test('[RPT-02][RPT-03] presets give their days of UTC, shown and sent as the report wants them, and Default is sent as 0; what the server refuses it says in the dialog, beside the banner of every failed report', async () => {
  const page = await signInAs('demo')
  await page.clock.install({ time: '2026-03-01T00:30:00Z' }) // 11:30 in Sydney
  await page.goto('/reports')
  const dialog = await openDialog(page, 'Usage by Service')
  await expectPresets(page, dialog)
  await setDays(dialog, '2025-12-24', '2025-12-23')
  await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await setDays(dialog, '1926-01-01', '2026-01-01')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Please choose at most ten years at a time.' })).toBeVisible()
  await expect(page.getByText(BANNER)).toBeVisible()
  await expect(dialog.getByLabel('From', { exact: true })).toHaveValue('1926-01-01')

  await setDays(dialog, '2025-12-24', '2025-12-26')
  await expect(dialog.getByText('12.24.2025 - 12.26.2025')).toBeVisible()
  expect(await generateAndRead(page, dialog)).toEqual(['12.24.2025 00:00:00', '12.26.2025 23:59:59', '0'])
  await captureDownload(page, () => skipToFile(page))
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(BANNER)).toHaveCount(0)

  await openDialog(page, 'Usage by Service')
  await selectOption(page, dialog, 'Date range', 'Default')
  await expect(dialog.getByText('All days')).toBeVisible()
  expect(await generateAndRead(page, dialog)).toEqual(['0', '0', '0'])
})

const expectPresets = async (page: Page, dialog: Locator): Promise<void> => {
  for (const [preset, days] of [
    ['This Month', '03.01.2026 - 03.01.2026'],
    ['Last Month', '02.01.2026 - 02.28.2026'],
    ['Last 7 Days', '02.23.2026 - 03.01.2026'],
    ['Last 30 Days', '01.31.2026 - 03.01.2026'],
  ] as const) {
    await selectOption(page, dialog, 'Date range', preset)
    await expect(dialog.getByText(/^\d\d\.\d\d\.\d{4} - /)).toHaveText(days)
  }
  await selectOption(page, dialog, 'Date range', 'Custom range')
}

const setDays = async (dialog: Locator, from: string, to: string): Promise<void> => {
  await dialog.getByLabel('From', { exact: true }).fill(from)
  await dialog.getByLabel('To', { exact: true }).fill(to)
}

/** Presses Generate in the dialog of Usage by Service. @returns the first day, the last day and the service that are sent */
const generateAndRead = async (page: Page, dialog: Locator): Promise<string[]> => {
  const asked = page.waitForRequest((request) => requestLine(request) === 'POST /v1/ec/reports')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const { parameters } = (await asked).postDataJSON() as { parameters: { name: string; value: string }[] }
  expect(parameters.map(({ name }) => name)).toEqual(['StartDate', 'EndDate', 'ServiceId'])
  return parameters.map(({ value }) => value)
}

/** Waits until the newest report, which the page waits for, is ready, and moves the page's clock to where it asks for it. */
const skipToFile = async (page: Page): Promise<void> => {
  const readStatus = async () => (await getFromApi<ReportRun[]>(page, '/v1/ec/reports/runs'))[0]?.status
  await expect.poll(readStatus).toBe(REPORT_STATUS.ready)
  await page.clock.runFor(REPORT_POLL_MS)
}

test('[RPT-03][RPT-04][BRAND-03] while a report is made it is asked after every 2 seconds and nothing closes the dialog; status 40 raises the banner, and it tries again; ready, its file is saved, of whatever kind, under a name that says what it is; whoever leaves meanwhile gets neither file nor banner', async () => {
  const page = await signInAs('demo')
  await page.clock.install()
  await page.goto('/invoices')
  await openSection(page, 'Reports')
  await expect(page.getByRole('button', { name: 'Generate Usage by Service' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await failToGenerate(page)
  await generateAgain(page)
  await page.clock.resume()
  await generateEachKind(page)
  await leaveMeanwhile(page)
})

/** A report that is queued, then being made, and fails. */
const failToGenerate = async (page: Page): Promise<void> => {
  let status: number = REPORT_STATUS.waiting
  let polls = 0
  await page.route('**/v1/ec/reports/status/*', async (route) => {
    polls += 1
    await (polls > 2 ? route.fallback() : route.fulfill({ json: { status, path: null } }))
  })
  const dialog = await openDialog(page, 'Usage by Service')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByText('Your report is queued…')).toBeVisible()
  await page.clock.runFor(REPORT_POLL_MS - 1)
  expect(polls).toBe(0)
  status = REPORT_STATUS.running
  await page.clock.runFor(1)
  await expect(dialog.getByText('Generating your report…')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Generating/ })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(20, 400)
  await expect(dialog).toHaveCount(1)
  status = REPORT_STATUS.failed
  await page.clock.runFor(REPORT_POLL_MS)
  await expect(page.getByText(BANNER)).toBeVisible()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Your report could not be generated. Try again.' })).toBeVisible()
  expect(polls).toBe(2)
}

/** The file that comes at last is saved, and the banner goes. */
const generateAgain = async (page: Page): Promise<void> => {
  const requests = collectApiRequests(page)
  const dialog = page.getByRole('dialog')
  const { name, content } = await generate(page, dialog)
  expect(name).toMatch(/^Usage_by_Service_[\d-]{10}_[\d-]{10}\.csv$/)
  await expect(page.getByRole('status').filter({ hasText: `Saved ${name}, ${sizeText(content)}` })).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  expect(content.toString().split('\n')[0]).toBe('\uFEFFService,Service Item,Service Item Description,Record Type,Records,Units,Price')
  expect(requests.map(requestLine).filter((line) => line.startsWith('POST'))).toEqual(['POST /v1/ec/reports'])
}

/** Presses Generate, and returns the file that is saved. Then the dialog is gone. */
const generate = async (page: Page, dialog: Locator): Promise<{ name: string; content: Buffer }> => {
  const file = await captureDownload(page, async () => {
    await dialog.getByRole('button', { name: 'Generate' }).click()
    await expect(dialog.getByText('Your report is queued…')).toBeVisible()
    await skipToFile(page)
  })
  await expect(dialog).toHaveCount(0)
  return file
}

/** A workbook and both kinds of paper. */
const generateEachKind = async (page: Page): Promise<void> => {
  const fillAndGenerate = async (report: string, fill: (dialog: Locator) => Promise<void>) => {
    const dialog = await openDialog(page, report)
    await fill(dialog)
    return generate(page, dialog)
  }
  const register = await fillAndGenerate('Invoice Register', (dialog) => selectOption(page, dialog, 'Date range', 'Default'))
  expect([register.name, register.content.subarray(0, 4).toString('latin1')]).toEqual(['Invoice_Register.xlsx', 'PK\u{3}\u{4}'])
  const centres = await fillAndGenerate('Usage by Cost Centre', async (dialog) => {
    const [, first = ''] = await readOptions(page, dialog, 'Service')
    await selectOption(page, dialog, 'Service', first)
  })
  expect(centres.name).toMatch(/^Usage_by_Cost_Centre_.+\.xlsx$/)
  const detail = await fillAndGenerate('Invoice Detail', async (dialog) => {
    const options = await readOptions(page, dialog, 'Invoice')
    await selectOption(page, dialog, 'Invoice', options.find((option) => /\d/.test(option)) ?? '')
  })
  expect([/^Invoice_Detail_.+\.pdf$/.test(detail.name), isCompletePdf(detail.content)]).toEqual([true, true])
  const statement = await fillAndGenerate('Account Statement', (dialog) => selectOption(page, dialog, 'Date range', 'Last 30 Days'))
  expect([/^Account_Statement_.+\.pdf$/.test(statement.name), isCompletePdf(statement.content)]).toEqual([true, true])
}

const leaveMeanwhile = async (page: Page): Promise<void> => {
  const dialog = await openDialog(page, 'Usage by Service')
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByText('Your report is queued…')).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL('/invoices')
  const requests = collectApiRequests(page)
  await page.clock.runFor(10_000)
  expect(requests.map(requestLine).filter((line) => line.includes('/reports/'))).toEqual([])
  expect(downloads).toEqual([])
  await expect(page.getByText(BANNER)).toHaveCount(0)
}

test('[EASE-09] a file is listed with who made it and until when, is downloaded and made again with one press; one of another tab gets ready by itself', async () => {
  const page = await signInAs('uk')
  await page.clock.install()
  await page.goto('/reports')
  await expect(page.getByText('No files yet.')).toBeVisible()
  await generate(page, await openDialog(page, 'Account Statement'))
  const rows = page.getByRole('table', { name: 'Recent files' }).getByRole('row').filter({ hasText: 'Account Statement' })
  await expect(rows).toHaveCount(1)
  await expect(rows.getByRole('rowheader')).toContainText('This Month, ')
  const user = await page.getByRole('banner').textContent()
  const maker = /by (.+)$/.exec((await rows.getByRole('cell').first().textContent()) ?? '')?.[1] ?? 'nobody'
  expect(user).toContain(maker)
  await expect(rows.getByText(/^until .+ UTC$/)).toBeVisible()
  const { name, content } = await captureDownload(page, () =>
    rows.getByRole('button', { name: /^Download Account Statement, This Month/ }).click(),
  )
  expect([/^Account_Statement_.+\.pdf$/.test(name), isCompletePdf(content)]).toEqual([true, true])

  const requested = page.waitForRequest((request) => requestLine(request) === 'POST /v1/ec/reports')
  const again = await captureDownload(page, async () => {
    await rows.getByRole('button', { name: /^Make again Account Statement/ }).click()
    await expect(rows).toHaveCount(2)
    await skipToFile(page)
  })
  expect([again.name, (await requested).postDataJSON().timeframe]).toEqual([name, 'This Month'])

  const runs = await getFromApi<ReportRun[]>(page, '/v1/ec/reports/runs')
  let status: number = REPORT_STATUS.running
  await page.route('**/v1/ec/reports/runs', (route) =>
    route.fulfill({
      json: runs.map((run, at) => (at === 0 && status !== REPORT_STATUS.ready ? { ...run, status, path: null, expiresAt: null } : run)),
    }),
  )
  await openSection(page, 'Invoices')
  await openSection(page, 'Reports')
  await expect(rows.getByText('Being made')).toBeVisible()
  status = REPORT_STATUS.ready
  await page.clock.runFor(REPORT_POLL_MS)
  await expect(rows.getByText('Being made')).toHaveCount(0)
})

const openDialog = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: `Generate ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  return dialog
}

/** A field by its label, whether it is a list or searchable. */
const fieldOf = (dialog: Locator, label: string): Locator =>
  dialog.getByRole('button', { name: new RegExp(`\\b${label}$`) }).or(dialog.getByRole('combobox', { name: label }))

const readOptions = async (page: Page, dialog: Locator, label: string): Promise<string[]> => {
  await fieldOf(dialog, label).click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.first()).toBeVisible()
  const labels = await options.allTextContents()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  return labels
}

const selectOption = async (page: Page, dialog: Locator, label: string, option: string): Promise<void> => {
  await fieldOf(dialog, label).click()
  await page.getByRole('listbox').getByRole('option', { name: option, exact: true }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}
