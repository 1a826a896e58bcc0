import { exactToText, toExact } from '@counterfoil/contract/kit/decimal'
import type { ServiceItem, ServiceItemUsage } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { callApi, getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'
const SAVE_FAILED_TEXT = 'Your changes could not be saved. Try again.'

test('[CC-01][EASE-06][GRID-01] the items of the first service are counted and priced exactly, and searched by every column, from page 1', async () => {
  const page = await openCostCentresAs('demo')
  const { services, items } = await fetchLoaded(page)
  const label = services[0]?.serviceItemLabel ?? ''
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cost Centre Allocation')
  await expect(page.getByRole('main').getByRole('button', { name: /Service$/ })).toHaveText(services[0]?.name ?? '')
  await expect(page.getByRole('columnheader')).toHaveText([label, 'Description', 'Cost Centre', 'This month'])
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
  await expectSums(page, items)
  await searchEveryColumn(page, label, items)
  await searchFromPageTwo(page, items)
})

/** The usage of this month is priced for each item, and added up for what is searched. */
const expectSums = async (page: Page, items: ServiceItem[]): Promise<void> => {
  const usage = await getFromApi<{ items: ServiceItemUsage[] }>(page, `/v1/ec/service-items/usage?service=${items[0]?.serviceId}`)
  const prices = new Map(usage.items.map(({ id, price }) => [id, toExact(price)]))
  const sumOf = (of: ServiceItem[]): string =>
    exactToText(
      of.reduce((sum, { id }) => sum + (prices.get(id) ?? 0n), 0n),
      4,
    ).replace(/\B(?=(\d{3})+\.)/g, ',')
  const readPrices = () => table(page).locator('tbody tr td:last-child').allTextContents()
  await expect.poll(readPrices).toEqual(items.slice(0, 25).map((item) => expect.stringContaining(sumOf([item]))))
  await expect(page.getByText(`${items.length} items · This month: `)).toBeVisible()
  await expect(table(page).getByRole('row').last()).toContainText(sumOf(items))
  await searchFor(page, 'Cost Centre', 'fleet-n')
  const found = items.filter(({ costCentre }) => costCentre?.includes('FLEET-N'))
  const foot = table(page).getByRole('row').last()
  await expect(foot).toContainText(`Sum of ${found.length} of ${items.length} items`)
  await expect(foot).toContainText(sumOf(found))
  await searchFor(page, 'Cost Centre', '')
}

const searchFor = (page: Page, label: string, text: string): Promise<void> =>
  page.getByRole('searchbox', { name: label, exact: true }).fill(text)

/** Each column is searched for what it contains, whatever the case, and the searches hold together. */
const searchEveryColumn = async (page: Page, label: string, items: ServiceItem[]): Promise<void> => {
  const expectRows = (keep: (item: ServiceItem) => boolean): Promise<void> => {
    const kept = items.filter(keep)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(items.length)
    return expect.poll(() => readRows(page)).toEqual(kept.slice(0, 25).map(toCells))
  }
  await searchFor(page, label, '570 1')
  await expectRows(({ serviceItem }) => serviceItem.includes('570 1'))
  await searchFor(page, label, '')
  await searchFor(page, 'Description', 'DASH cam')
  await expectRows(({ description }) => (description ?? '').toLowerCase().includes('dash cam'))
  await searchFor(page, 'Cost Centre', 'fleet-n')
  await expectRows((item) => toCells(item)[1]!.toLowerCase().includes('dash cam') && (item.costCentre ?? '').includes('FLEET-N'))
  await searchFor(page, 'Description', '')
  await expectRows(({ costCentre }) => (costCentre ?? '').includes('FLEET-N'))
  await searchFor(page, 'Cost Centre', 'no such thing')
  await expect(page.getByText('No results match your search')).toBeVisible()
  await searchFor(page, 'Cost Centre', '')
}

const searchFromPageTwo = async (page: Page, items: ServiceItem[]): Promise<void> => {
  const pagination = page.getByRole('navigation', { name: 'Cost Centre Allocation: pages' })
  await pagination.getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect(pagination.locator('[aria-current=page]')).toHaveText('2')
  await searchFor(page, 'Description', 'r')
  const kept = items.filter(({ description }) => (description ?? '').toLowerCase().includes('r'))
  expect(kept.length).toBeGreaterThan(25)
  await expect.poll(() => readRows(page)).toEqual(kept.slice(0, 25).map(toCells))
  await expect(pagination.locator('[aria-current=page]')).toHaveText('1')
}

test('[CC-01][CC-02][CC-03][EASE-10] each service brings its own items, name for them and file, and stays in the address; a pencil says what can be changed, and on a phone the filters stand behind one button', async () => {
  const page = await openCostCentresAs('demo')
  const { services } = await fetchLoaded(page)
  for (const service of services) {
    await page
      .getByRole('main')
      .getByRole('button', { name: /Service$/ })
      .click()
    await expect(page.getByRole('option')).toHaveText(services.map(({ name }) => name))
    await page.getByRole('option', { name: service.name, exact: true }).click()
    await expectItemsAndFile(page, service)
  }
  await expect(page).toHaveURL(`/cost-centre?service=${services.at(-1)?.id}`)
  await page.reload()
  await expectItems(page, services.at(-1)!)
  await expectPhone(page)
})

/** The items of a service under its own name for them, each with a pencil. */
const expectItems = async (page: Page, { id, serviceItemLabel }: Service): Promise<ServiceItem[]> => {
  const items = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${id}`)
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
  await expect(page.getByRole('columnheader').first()).toHaveText(serviceItemLabel)
  await expect(page.getByRole('searchbox', { name: serviceItemLabel })).toHaveCount(1)
  await expect(table(page).locator('tbody tr td:nth-child(3) svg')).toHaveCount(Math.min(items.length, 25))
  return items
}

/** The same, and the file, byte for byte. */
const expectItemsAndFile = async (page: Page, service: Service): Promise<void> => {
  const items = await expectItems(page, service)
  const { name, content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download' }).click())
  expect([name, content.toString()]).toEqual([`Cost_Centre_${service.name}.csv`, toCsv(service.serviceItemLabel, items)])
}

/** On a tablet the filters stand in a row, on a phone behind one button, and a card has its name and price on one line. */
const expectPhone = async (page: Page): Promise<void> => {
  const fields = page.getByRole('searchbox')
  await page.setViewportSize({ width: 768, height: 1024 })
  const topsOfFields = () => fields.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
  const countFieldsAndRows = async (): Promise<[fields: number, rows: number]> => {
    const tops = await topsOfFields()
    return [tops.length, new Set(tops).size]
  }
  await expect.poll(countFieldsAndRows).toEqual([3, 1])

  await page.setViewportSize(PHONE)
  await expect(fields).toHaveCount(0)
  await expect(page.getByRole('columnheader')).toHaveCount(0)
  const card = page.getByRole('row').first()
  const [name, price] = await Promise.all([card.getByRole('button'), card.getByText(/^A\$/)].map(middleOf))
  expect(Math.abs((name ?? 0) - (price ?? 0))).toBeLessThan(2)
  await page.getByRole('button', { name: 'Filters' }).click()
  await searchFor(page, 'Cost Centre', 'ops')
  await expect(page.getByRole('button', { name: 'Filters 1 set' })).toBeVisible()
}

const middleOf = async (of: Locator): Promise<number> => {
  const box = await of.boundingBox()
  return (box?.y ?? 0) + (box?.height ?? 0) / 2
}

test('[CC-02] a press anywhere on a row opens what it says; Save writes it, also past a reload, an empty field is sent as null, and what somebody else changed meanwhile is told and kept', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const [, item, another] = items as [ServiceItem, ServiceItem, ServiceItem]
  const before = { description: item.description, costCentre: item.costCentre }
  const first = { description: 'Truck 9, “dash” camera', costCentre: null }
  const second = { description: null, costCentre: '=NEW' }
  const expectRows = (kept: Texts): Promise<void> =>
    expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map((one) => toCells(one === item ? { ...item, ...kept } : one)))

  expect(await saveTexts(page, item, first)).toMatchObject([[String(item.id), changesOf(before, first)]])
  await expectRows(first)
  expect(await saveTexts(page, item, second)).toMatchObject([[String(item.id), changesOf(first, second)]])
  await expectRows(second)
  await page.reload()
  await expectRows(second)
  expect(await saveTexts(page, item, before)).toMatchObject([[String(item.id), changesOf(second, before)]])
  await expectRows(before)
  await saveOverOthers(page, another)
})

/** Types these texts into a row's dialog and saves them. @returns what was sent, each with the item's id */
const saveTexts = async (page: Page, item: ServiceItem, { description, costCentre }: Texts): Promise<unknown[]> => {
  const sent: unknown[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push([request.url().split('/').at(-1), request.postDataJSON()]))
  await rowOf(page, item).getByRole('cell').nth(1).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Description').fill(description ?? '')
  await dialog.getByLabel('Cost Centre').fill(costCentre ?? '')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  return sent
}

/** What was typed is kept beside what somebody else saved meanwhile, and the next Save sends it alone. */
const saveOverOthers = async (page: Page, item: ServiceItem): Promise<void> => {
  await rowOf(page, item).getByRole('cell').first().click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Cost Centre').fill('MINE')
  const theirs = { description: 'Their description', costCentre: 'THEIRS' }
  await callApi(page, 'PUT', `/v1/ec/service-items/${item.id}`, { body: theirs })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('It now says “THEIRS”.')).toBeVisible()
  await expect(dialog.getByLabel('Cost Centre')).toHaveValue('MINE')
  await expect(dialog.getByLabel('Description')).toHaveValue('Their description')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const saved = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${item.serviceId}`)
  expect(saved.find(({ id }) => id === item.id)).toMatchObject({ description: 'Their description', costCentre: 'MINE' })
}

test('[CC-02][GRID-03] a dialog begins with what is there and is left by Discard, Escape and a press beside it; what the server refuses stays in it, without a banner; it needs no mouse, and the focus comes back', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const item = items.find(({ description, costCentre }) => description !== null && costCentre !== null) as ServiceItem
  await leaveDialog(page, item)
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
  await editByKeyboard(page, item)
  await failToSave(page, item)
  await loseRow(page, item)
})

/** However a dialog is left, nothing is sent. A double click on a row opens it and leaves it open. */
const leaveDialog = async (page: Page, item: ServiceItem): Promise<void> => {
  const requests: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()))
  const dialog = dialogOf(page)
  const row = rowOf(page, item)
  for (const [open, leave] of [
    [() => row.getByRole('rowheader').getByRole('button').click(), () => dialog.getByRole('button', { name: 'Discard' }).click()],
    [() => row.getByRole('rowheader').getByRole('button').click(), () => page.keyboard.press('Escape')],
    [() => row.getByRole('cell').last().dblclick(), () => page.mouse.click(5, 300)],
  ] as const) {
    await open()
    await expect(dialog.getByText(item.serviceItem, { exact: true })).toBeVisible()
    await expect(dialog.getByLabel('Description')).toHaveValue(item.description ?? '')
    await expect(dialog.getByLabel('Cost Centre')).toHaveValue(item.costCentre ?? '')
    await dialog.getByLabel('Description').fill('something else')
    await expect(dialog.getByLabel('Description')).toHaveValue('something else')
    await leave()
    await expect(dialog).toHaveCount(0)
  }
  expect(requests).toEqual([])
}

/** The focus goes into the dialog, stays there, and comes back to the row. */
const editByKeyboard = async (page: Page, item: ServiceItem): Promise<void> => {
  const dialog = dialogOf(page)
  await page.getByRole('searchbox', { name: 'Cost Centre' }).focus()
  for (let step = 0; step < 30 && (await readFocusedText(page)) !== item.serviceItem; step += 1) await page.keyboard.press('Tab')
  await expect.poll(() => readFocusedText(page)).toBe(item.serviceItem)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
  }
  await dialog.getByLabel('Cost Centre').focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('BY-HAND')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => readFocusedText(page)).toBe(item.serviceItem)
  await expect(rowOf(page, item).getByText('BY-HAND', { exact: true })).toBeVisible()
}

/** A refusal stands beside its field, a failure in the dialog, which keeps what was typed and saves it at last. */
const failToSave = async (page: Page, item: ServiceItem): Promise<void> => {
  const dialog = dialogOf(page)
  await rowOf(page, item).getByRole('cell').first().click()
  await dialog.getByLabel('Description').fill('x'.repeat(501))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/500 characters/)).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Cost Centre')).not.toHaveAttribute('aria-invalid')

  const stopFailing = await failRequests(page, '**/v1/ec/service-items/*')
  await dialog.getByLabel('Description').fill(item.description ?? '')
  await dialog.getByLabel('Cost Centre').fill('TYPED')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert').getByText(SAVE_FAILED_TEXT)).toBeVisible()
  await expect(dialog.getByLabel('Description')).not.toHaveAttribute('aria-invalid')
  await expect(dialog.getByLabel('Cost Centre')).toHaveValue('TYPED')
  await expect(page.getByText(BANNER)).toHaveCount(0)
  stopFailing()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(page, item).getByText('TYPED', { exact: true })).toBeVisible()
}

/** Where the search leaves the row out that was edited, the focus is on the content and not lost. */
const loseRow = async (page: Page, item: ServiceItem): Promise<void> => {
  const dialog = dialogOf(page)
  await searchFor(page, 'Cost Centre', 'typed')
  await rowOf(page, item).getByRole('button').click()
  await dialog.getByLabel('Cost Centre').fill(item.costCentre ?? '')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(page, item)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
}

test('[GRID-02][GRID-03] services or items that fail to load raise the red banner, can be asked for again, and a name without a blank, as the paths of cloud resources are, never makes the page scroll sideways', async () => {
  const page = await signInAs('us')
  const path = `/subscriptions/${'0123456789abcdef'.repeat(8)}/providers/Microsoft.Compute`
  const item = { id: 1, serviceId: 1, serviceItem: path, description: path, costCentre: path }
  await page.route('**/v1/ec/service-items?*', (route) => route.fulfill({ json: [item] }))
  const mends = [await failRequests(page, '**/v1/ec/services'), await failRequests(page, '**/v1/ec/service-items?*')]
  await page.goto('/cost-centre')
  const banner = page.getByRole('alert').filter({ hasText: BANNER })
  for (const mend of mends) {
    await banner.getByRole('button', { name: 'Close' }).click()
    await expect(banner).toHaveCount(0)
    mend()
    await page.getByRole('button', { name: 'Try again: Cost Centre Allocation' }).click()
  }
  await expect(rowOf(page, { serviceItem: path })).toBeVisible()
  await expect(banner).toHaveCount(0)
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  }
})

const openCostCentresAs = async (username: string): Promise<Page> => {
  const page = await openPageAs(username, '/cost-centre')
  await expect(table(page)).toBeVisible()
  return page
}

/** What the page has loaded by default, fetched again. */
const fetchLoaded = async (page: Page): Promise<{ services: Service[]; items: ServiceItem[] }> => {
  const services = await getFromApi<Service[]>(page, '/v1/ec/services')
  return { services, items: await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${services[0]?.id}`) }
}

const table = (page: Page): Locator => page.getByRole('table', { name: 'Cost Centre Allocation' })
const rowOf = (page: Page, { serviceItem }: Pick<ServiceItem, 'serviceItem'>): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: serviceItem, exact: true }) })
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit Cost Centre' })
const readFocusedText = (page: Page): Promise<string | null> => page.evaluate(() => document.activeElement?.textContent ?? null)

/** The three texts of each row, without the price of its usage. */
const readRows = (page: Page): Promise<string[][]> =>
  page
    .getByRole('main')
    .evaluate((main) => [...main.querySelectorAll('tbody tr')].map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent)))

const toCells = ({ serviceItem, description, costCentre }: ServiceItem): string[] => [serviceItem, description ?? '–', costCentre ?? '–']

const toCsv = (label: string, items: readonly ServiceItem[]): string => {
  // A spreadsheet would run a text that begins like this.
  const safe = (text: string): string => (/^([\t\r\n]|[ \u00a0\u3000]*[=+\-@|＝＋－＠])/.test(text) ? `'${text}` : text)
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = items.map(({ serviceItem, description, costCentre }) => [serviceItem, description ?? '', costCentre ?? ''].map(safe))
  return `\uFEFF${[[label, 'Description', 'Cost Centre'], ...lines].map((line) => `${line.map(quoted).join(',')}\n`).join('')}`
}

type Texts = Pick<ServiceItem, 'description' | 'costCentre'>

/** What a save sends: the texts that differ, and what they said before. */
const changesOf = (before: Texts, after: Texts): object => {
  const names = (['description', 'costCentre'] as const).filter((name) => before[name] !== after[name])
  const pick = (texts: Texts): object => Object.fromEntries(names.map((name) => [name, texts[name]]))
  return { ...pick(after), basedOn: pick(before) }
}
