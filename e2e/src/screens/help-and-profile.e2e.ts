import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { getFromApi } from '../support/api.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { createPayer } from '../payments/payer.ts'
import { enter } from '../support/browser.ts'
import { testEnvironment } from '../support/test-environment.ts'

const { openPage, openPageAs } = usePages()

const NAVY_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40" width="120" height="40"><rect y="15" width="90" height="10" fill="#0b1f4a"/></svg>'

const hostOf = (domain: string): string => `http://${domain}:${new URL(testEnvironment().url).port}`

test('[EASE-14] every page ends with the help of the brand of its host, and “contact support” leads there', async () => {
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  const help = page.getByRole('contentinfo')
  for (const path of ['/finish-registration/x', '/no-such-page', '/login#reset-sent']) {
    await page.goto(path)
    await expect(help.getByRole('link', { name: 'help@nimbus.example' })).toHaveAttribute('href', 'mailto:help@nimbus.example')
  }
  await expect(help.getByRole('link', { name: '1300 555 010' })).toHaveAttribute('href', 'tel:1300555010')
  await expect(help.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', 'https://www.nimbus.example/terms')
  await expect(page.getByText(/please check your username and try again, or contact support$/)).toBeVisible()
  await page.getByRole('link', { name: 'contact support' }).click()
  await expect(help).toBeFocused()
  expect(new URL(page.url()).hash).toBe('#reset-sent')
})

test('[EASE-13][EASE-14] the page has the icons of its brand, and a dark logo a plate; the profile says who is signed in, and what is chosen there is used at once and after a reload', async () => {
  const { username, password } = await createPayer(testEnvironment().dataDir, 1)
  const page = await openPage({ locale: 'en-AU', colorScheme: 'dark' })
  await page.route('**/brand-images/2204/logo', (route) => route.fulfill({ contentType: 'image/svg+xml', body: NAVY_LOGO }))
  await enter(page, username, password)
  await expectLogoAndIcons(page)
  await openProfile(page)
  await expect(page.getByText(username, { exact: true })).toBeVisible()
  await expect(page.getByText(/^Days and times are in UTC/)).toBeVisible()

  await page.getByRole('button', { name: /Numbers and dates/ }).click()
  await page.getByRole('option', { name: 'German (Germany)' }).click()
  const email = page.getByLabel('Email for receipts')
  await email.fill('bills@')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await email.fill('bills@payer.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').getByText('Your profile is saved')).toBeVisible()

  await page.getByRole('link', { name: /^Invoices/ }).click()
  const germanAmount = page.getByRole('cell').filter({ hasText: /\d,\d{2}$/ })
  await expect(germanAmount.first()).toBeVisible()
  await page.reload()
  await expect(germanAmount.first()).toBeVisible()
  await openProfile(page)
  await expect(email).toHaveValue('bills@payer.example')
})

const openProfile = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
}

/** The page has the colour and the icons of its brand, and a logo that is lost on its ground a plate. */
const expectLogoAndIcons = async (page: Page): Promise<void> => {
  const plate = () =>
    page
      .locator('header img')
      .first()
      .evaluate((logo) => getComputedStyle(logo).backgroundColor)
  await expect.poll(plate).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(plate).toBe('rgba(0, 0, 0, 0)')
  const head = await page.evaluate(() => ({
    colours: [...document.querySelectorAll('meta[name=theme-color]')].map((meta) => meta.getAttribute('content')),
    icons: [...document.querySelectorAll('link[rel$=icon]')].map((link) => link.getAttribute('href')),
  }))
  expect(head).toEqual({
    colours: ['#ffffff', '#ffffff'],
    icons: ['/brand-images/2204/icon', '/brand-images/2204/touch-icon'],
  })
  expect((await page.request.get('/brand-images/2204/touch-icon')).headers()['content-type']).toBe('image/png')
}

test('[EASE-13][EASE-14] forced colours show the current section, and who asks for more contrast gets no grey; the list and a link to pay end with the help of their brand', async () => {
  const page = await openPageAs('us', '/invoices', { forcedColors: 'active' })
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  const colours = () =>
    sections.evaluateAll((links) => links.map((link) => [link.ariaCurrent !== null, getComputedStyle(link).borderBottomColor] as const))
  const all = await colours()
  const current = all.filter(([isCurrent]) => isCurrent).map(([, colour]) => colour)
  expect(current).toHaveLength(1)
  expect(all.filter(([isCurrent, colour]) => !isCurrent && colour === current[0])).toEqual([])

  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  const greys = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    return ['--muted', '--line', '--control-line'].filter((name) => style.getPropertyValue(name) !== style.getPropertyValue('--text'))
  })
  expect(greys).toEqual([])

  const help = page.getByRole('contentinfo')
  await expect(help.getByRole('link', { name: 'Privacy' })).toBeVisible()
  const [invoice] = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  await page.goto(`/pay/${invoice?.payToken}`)
  await expect(help.getByRole('link', { name: /@/ })).toBeVisible()
})
