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
import { getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'
const SAVE_FAILED_TEXT = 'Your changes could not be saved. Try again.'

test('[CC-01] the first service is chosen, and the columns are its own name for service items, Description and Cost Centre', async () => {
  const page = await openCostCentresAs('demo')
  const { services, items } = await fetchLoaded(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cost Centre Allocation')
  await expect(page.getByRole('main').getByRole('button', { name: /Service$/ })).toHaveText(services[0]?.name ?? '')
  await expect(page.getByRole('columnheader')).toHaveText([services[0]?.serviceItemLabel ?? '', 'Description', 'Cost Centre', 'This month'])
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
})

test('[CC-01] another service brings its own items and its own name for them, and stays in the address', async () => {
  const page = await openCostCentresAs('demo')
  const { services } = await fetchLoaded(page)
  const voice = services.find(({ name }) => name === 'Voice')
  await page
    .getByRole('main')
    .getByRole('button', { name: /Service$/ })
    .click()
  await expect(page.getByRole('option')).toHaveText(services.map(({ name }) => name))
  await page.getByRole('option', { name: 'Voice' }).click()
  const items = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${voice?.id}`)
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
  await expect(page.getByRole('columnheader').first()).toHaveText('Number')
  await expect(page.getByRole('searchbox', { name: 'Number' })).toHaveCount(1)
  await expect(page).toHaveURL(`/cost-centre?service=${voice?.id}`)
  await page.reload()
  await expect(table(page)).toBeVisible()
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
})

test('[CC-01] each column is searched for what it contains, whatever the case, and the searches hold together', async () => {
  const page = await openCostCentresAs('demo')
  const { services, items } = await fetchLoaded(page)
  const search = (label: string): Locator => page.getByRole('searchbox', { name: label, exact: true })
  const itemLabel = services[0]?.serviceItemLabel ?? ''
  const expectRows = (keep: (item: ServiceItem) => boolean): Promise<void> => {
    const kept = items.filter(keep)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(items.length)
    return expect.poll(() => readRows(page)).toEqual(kept.slice(0, 25).map(toCells))
  }
  await search(itemLabel).fill('570 1')
  await expectRows(({ serviceItem }) => serviceItem.includes('570 1'))
  await search(itemLabel).fill('')

  await search('Description').fill('DASH cam')
  await expectRows(({ description }) => (description ?? '').toLowerCase().includes('dash cam'))
  await search('Cost Centre').fill('fleet-n')
  await expectRows((item) => toCells(item)[1]!.toLowerCase().includes('dash cam') && (item.costCentre ?? '').includes('FLEET-N'))
  await search('Description').fill('')
  await expectRows(({ costCentre }) => (costCentre ?? '').includes('FLEET-N'))

  await search('Cost Centre').fill('no such thing')
  await expect(page.getByText('No results match your search')).toBeVisible()
})

test('[CC-02][EASE-10] a pencil says that a cost centre can be changed; on a phone the filters stand behind one button, and a card on one line', async () => {
  const page = await openCostCentresAs('demo')
  const { items } = await fetchLoaded(page)
  await expect(table(page).locator('tbody tr td:nth-child(3) svg')).toHaveCount(Math.min(items.length, 25))
  const fields = page.getByRole('searchbox')
  await page.setViewportSize({ width: 768, height: 1024 })
  const tops = await fields.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
  expect([tops.length, new Set(tops).size]).toEqual([3, 1])

  await page.setViewportSize(PHONE)
  await expect(fields).toHaveCount(0)
  await expect(page.getByRole('columnheader')).toHaveCount(0)
  const card = page.getByRole('row').first()
  const [name, price] = await Promise.all([card.getByRole('button'), card.getByText(/^A\$/)].map(middleOf))
  expect(Math.abs((name ?? 0) - (price ?? 0))).toBeLessThan(2)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('searchbox', { name: 'Cost Centre' }).fill('fleet-n')
  await expect(page.getByRole('button', { name: 'Filters 1 set' })).toBeVisible()
})

const middleOf = async (of: Locator): Promise<number> => {
  const box = await of.boundingBox()
  return (box?.y ?? 0) + (box?.height ?? 0) / 2
}

test('[EASE-06] the items are counted, and the usage of this month is priced for each and added up exactly for what is searched', async () => {
  const page = await openCostCentresAs('demo')
  const { services, items } = await fetchLoaded(page)
  const usage = await getFromApi<{ items: ServiceItemUsage[] }>(page, `/v1/ec/service-items/usage?service=${services[0]?.id}`)
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
  await page.getByRole('searchbox', { name: 'Cost Centre' }).fill('fleet-n')
  const found = items.filter(({ costCentre }) => costCentre?.includes('FLEET-N'))
  const foot = table(page).getByRole('row').last()
  await expect(foot).toContainText(`Sum of ${found.length} of ${items.length} items`)
  await expect(foot).toContainText(sumOf(found))
})

test('[CC-01][GRID-01] a search begins at page 1 again', async () => {
  const page = await openCostCentresAs('demo')
  const pagination = page.getByRole('navigation', { name: 'Cost Centre Allocation: pages' })
  await pagination.getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect(pagination.locator('[aria-current=page]')).toHaveText('2')
  const { items } = await fetchLoaded(page)
  await page.getByRole('searchbox', { name: 'Description' }).fill('r')
  const kept = items.filter(({ description }) => (description ?? '').toLowerCase().includes('r'))
  expect(kept.length).toBeGreaterThan(25)
  await expect.poll(() => readRows(page)).toEqual(kept.slice(0, 25).map(toCells))
  await expect(pagination.locator('[aria-current=page]')).toHaveText('1')
})

test('[CC-02] a press anywhere on a row opens what it says; Save writes it, also past a reload, and an empty field is sent as null', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const [, item] = items as [ServiceItem, ServiceItem]
  const before = { description: item.description, costCentre: item.costCentre }
  let stored: Texts = before
  const requests: unknown[] = []
  page.on('request', (request) => request.method() === 'PUT' && requests.push([request.url().split('/').at(-1), request.postDataJSON()]))

  for (const [typed, kept] of [
    [
      { description: 'Truck 9, “dash” camera', costCentre: '' },
      { description: 'Truck 9, “dash” camera', costCentre: null },
    ],
    [
      { description: '', costCentre: '=NEW' },
      { description: null, costCentre: '=NEW' },
    ],
    [{ description: before.description ?? '', costCentre: before.costCentre ?? '' }, before],
  ] as const) {
    await rowOf(page, item).getByRole('cell').nth(1).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
    await dialog.getByLabel('Description').fill(typed.description)
    await dialog.getByLabel('Cost Centre').fill(typed.costCentre)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map((one) => toCells(one === item ? { ...item, ...kept } : one)))
    expect(requests.splice(0)).toMatchObject([[String(item.id), changesOf(stored, kept)]])
    stored = kept
    await page.reload()
    await expect(table(page)).toBeVisible()
    await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map((one) => toCells(one === item ? { ...item, ...kept } : one)))
  }
})

test('[CC-02] what somebody else changed meanwhile is told, what was typed is kept, and only touched fields are sent', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const item = items.at(2) as ServiceItem
  await rowOf(page, item).getByRole('cell').first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
  await dialog.getByLabel('Cost Centre').fill('MINE')
  const other = await openCostCentresAs('ippay')
  await rowOf(other, item).getByRole('cell').first().click()
  await other.getByRole('dialog').getByLabel('Description').fill('Their description')
  await other.getByRole('dialog').getByLabel('Cost Centre').fill('THEIRS')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByRole('dialog')).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('It now says “THEIRS”.')).toBeVisible()
  await expect(dialog.getByLabel('Cost Centre')).toHaveValue('MINE')
  await expect(dialog.getByLabel('Description')).toHaveValue('Their description')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const saved = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${item.serviceId}`)
  expect(saved.find(({ id }) => id === item.id)).toMatchObject({ description: 'Their description', costCentre: 'MINE' })
})

test('[CC-02] the dialog begins with what is there, and Discard and Escape leave it as it was', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const item = items.find(({ description, costCentre }) => description !== null && costCentre !== null) as ServiceItem
  const requests: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()))
  for (const leave of [(dialog: Locator) => dialog.getByRole('button', { name: 'Discard' }).click(), () => page.keyboard.press('Escape')]) {
    await rowOf(page, item).getByRole('rowheader').getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
    await expect(dialog.getByText(item.serviceItem, { exact: true })).toBeVisible()
    await expect(dialog.getByLabel('Description')).toHaveValue(item.description ?? '')
    await expect(dialog.getByLabel('Cost Centre')).toHaveValue(item.costCentre ?? '')
    await dialog.getByLabel('Description').fill('something else')
    await leave(dialog)
    await expect(dialog).toHaveCount(0)
  }
  await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
  expect(requests).toEqual([])
})

test('[CC-02] a failed update raises no banner; the dialog stays, says so, keeps what was typed, and Save works again', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const [item] = items as [ServiceItem]
  const stopFailing = await failRequests(page, '**/v1/ec/service-items/*')
  await rowOf(page, item).getByRole('cell').first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
  await dialog.getByLabel('Cost Centre').fill('TYPED')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert').getByText(SAVE_FAILED_TEXT)).toBeVisible()
  await expect(dialog.getByLabel('Cost Centre')).toHaveValue('TYPED')
  await expect(page.getByText(BANNER)).toHaveCount(0)

  stopFailing()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect
    .poll(() => readRows(page))
    .toEqual(items.slice(0, 25).map((one) => toCells(one === item ? { ...item, costCentre: 'TYPED' } : one)))

  await rowOf(page, item).getByRole('cell').first().click()
  await dialog.getByLabel('Cost Centre').fill(item.costCentre ?? '')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
})

test('[CC-02] an error of the server is shown beside its field', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  await rowOf(page, items[0] as ServiceItem)
    .getByRole('cell')
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
  await dialog.getByLabel('Description').fill('x'.repeat(501))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/500 characters/)).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Cost Centre')).not.toHaveAttribute('aria-invalid')
})

test('[CC-03] the download is called after the service and holds its service items, byte for byte', async () => {
  const page = await openCostCentresAs('demo')
  const { services } = await fetchLoaded(page)
  for (const service of services) {
    await page.goto(`/cost-centre?service=${service.id}`)
    await expect(table(page)).toBeVisible()
    const items = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${service.id}`)
    const { name, content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download' }).click())
    expect(name).toBe(`Cost_Centre_${service.name}.csv`)
    expect(content.toString()).toBe(toCsv(service.serviceItemLabel, items))
  }
})

test.each([
  ['the services', '**/v1/ec/services'],
  ['the service items', '**/v1/ec/service-items?*'],
])('[GRID-02] a failed load of %s raises the red banner and can be asked for again', async (_, address) => {
  const page = await signInAs('us')
  const stopFailing = await failRequests(page, address)
  await page.goto('/cost-centre')
  const banner = page.getByRole('alert').filter({ hasText: BANNER })
  await banner.getByRole('button', { name: 'Close' }).click()
  await expect(banner).toHaveCount(0)
  stopFailing()
  await page.getByRole('button', { name: 'Try again: Cost Centre Allocation' }).click()
  await expect(table(page)).toBeVisible()
})

test('[GRID-03] a cost centre is edited by keyboard alone; the focus goes into the dialog, stays there, and comes back', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const [, , item] = items as [ServiceItem, ServiceItem, ServiceItem]
  const edit = async (costCentre: string): Promise<void> => {
    await page.getByRole('searchbox', { name: 'Cost Centre' }).focus()
    for (let step = 0; step < 7 && (await readFocusedText(page)) !== item.serviceItem; step += 1) await page.keyboard.press('Tab')
    await expect.poll(() => readFocusedText(page)).toBe(item.serviceItem)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
    await expect(dialog).toBeVisible()
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
    }
    await dialog.getByLabel('Cost Centre').focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(costCentre)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => readFocusedText(page)).toBe(item.serviceItem)
  }
  await edit('BY-HAND')
  expect((await readRows(page))[2]).toEqual(toCells({ ...item, costCentre: 'BY-HAND' }))
  await edit(item.costCentre ?? 'NONE')
})

test('[CC-02] a double click on a row opens its dialog and leaves it open', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  await rowOf(page, items[0] as ServiceItem)
    .getByRole('cell')
    .last()
    .dblclick()
  const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
  await dialog.getByLabel('Cost Centre').fill('TYPED')
  await expect(dialog.getByLabel('Cost Centre')).toHaveValue('TYPED')
  await page.mouse.click(5, 300)
  await expect(dialog).toHaveCount(0)
})

test('[GRID-03] where the search leaves the row out that was edited, the focus is on the content and not lost', async () => {
  const page = await openCostCentresAs('ippay')
  const { items } = await fetchLoaded(page)
  const item = items.find(({ costCentre }) => costCentre !== null) as ServiceItem
  await page.route('**/v1/ec/service-items/*', (route) => route.fulfill({ json: { ...item, costCentre: 'ELSEWHERE' } }))
  await page.getByRole('searchbox', { name: 'Cost Centre' }).fill(item.costCentre ?? '')
  await rowOf(page, item).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Cost Centre' })
  await dialog.getByLabel('Cost Centre').fill('ELSEWHERE')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

test('[GRID-03] a name without a blank, as the paths of cloud resources are, never makes the page scroll sideways', async () => {
  const page = await signInAs('ippay')
  const path = `/subscriptions/${'0123456789abcdef'.repeat(8)}/providers/Microsoft.Compute`
  await page.route('**/v1/ec/service-items?*', (route) =>
    route.fulfill({ json: [{ id: 1, serviceId: 1, serviceItem: path, description: path, costCentre: path }] }),
  )
  await page.goto('/cost-centre')
  await expect(rowOf(page, { serviceItem: path })).toBeVisible()
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
