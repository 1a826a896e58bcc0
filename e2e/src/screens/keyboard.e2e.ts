import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { DEMO_PASSWORD } from '../support/browser.ts'
import { isCompletePdf, captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage, openPageAs } = usePages()

const NEW_PASSWORD = 'lantern-moss-83'
const MAX_TABS = 80

test('[GRID-03] the whole way from signing in to signing out needs no mouse', async () => {
  const page = await openPage()
  await page.goto('/login')
  await expect(page.getByLabel('Username')).toBeVisible()

  // Sign in.
  await tabTo(page, 'Username')
  await page.keyboard.type('demo')
  await tabTo(page, 'Password')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Latest 5 Invoices' })).toBeVisible()

  // Skip the header, then save the newest invoice's PDF.
  await page.keyboard.press('Tab')
  expect(await readFocus(page)).toMatchObject({ name: 'Skip to content', visible: true })
  await page.keyboard.press('Enter')
  await tabTo(page, /^Download PDF of /)
  const { content } = await captureDownload(page, () => page.keyboard.press('Enter'))
  expect(isCompletePdf(content)).toBe(true)

  // Open the previous invoice in a new tab.
  await tabTo(page, /^Open .+ in a new tab$/)
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await tab.close()

  // Switch the customer.
  const before = (await readStoredSession(page)).customer
  await tabTo(page, /Customer$/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toBeVisible()
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await loaded
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect.poll(async () => (await readStoredSession(page)).customer).not.toBe(before)

  // Open the invoices and sort them.
  await tabTo(page, 'Invoices')
  await page.keyboard.press('Enter')
  // The pressed link has the same name, so only the new section's focused heading shows that it is open.
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true, level: 1 }).and(page.locator(':focus'))).toBeVisible()
  await expect(page.getByRole('table', { name: 'Invoices', exact: true })).toBeVisible()
  await tabTo(page, 'Amount')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader', { name: 'Amount', exact: true })).toHaveAttribute('aria-sort', 'ascending')

  // Log out in the Settings menu.
  await tabTo(page, 'Settings', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
  expect((await readStoredSession(page)).auth).toBeNull()
})

test('[GRID-03] a password is changed, and changed back, without a mouse', async () => {
  const page = await openPageAs('nexio')
  await tabTo(page, 'Settings')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible()
  await page.keyboard.type('Ch') // a menu moves to the entry that begins so
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Current Password', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/settings')
  for (const [current, next] of [
    [DEMO_PASSWORD, NEW_PASSWORD],
    [NEW_PASSWORD, DEMO_PASSWORD],
  ] as const) {
    await tabTo(page, 'Current Password')
    await page.keyboard.type(current)
    await tabTo(page, 'New Password')
    await page.keyboard.type(next)
    await tabTo(page, 'Confirm New Password')
    await page.keyboard.type(next)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your password was successfully updated')).toBeVisible()
    await tabTo(page, 'Close')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your password was successfully updated')).toHaveCount(0)
  }
})

interface Focus {
  readonly name: string
  /** Whether it is inside the window and shows a focus ring. */
  readonly visible: boolean
}

/** The focused element by its accessible name. */
const readFocus = (page: Page): Promise<Focus> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return { name: '', visible: false }
    const byIds = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim()
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => label.textContent).join(' ') : ''
    const name = element.getAttribute('aria-label') ?? (byIds || labels || element.textContent || '')
    const { width, height, bottom, right } = element.getBoundingClientRect()
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const hasRing = outlineStyle !== 'none' && outlineWidth !== '0px'
    return { name: name.trim(), visible: width > 0 && height > 0 && bottom > 0 && right > 0 && hasRing }
  })

/** Presses Tab, or Shift+Tab, until the element of this name has the focus, which must then be visible. */
const tabTo = async (page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  const passed: string[] = []
  for (let step = 0; step < MAX_TABS; step += 1) {
    await page.keyboard.press(key)
    const focus = await readFocus(page)
    if (typeof name === 'string' ? focus.name === name : name.test(focus.name)) {
      expect({ at: focus.name, ring: focus.visible }).toEqual({ at: focus.name, ring: true })
      return
    }
    passed.push(focus.name)
  }
  throw new Error(`${key} never came to ${name}; it passed ${passed.join(' | ')}`)
}
