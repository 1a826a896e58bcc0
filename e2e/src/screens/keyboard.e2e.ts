import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD, signIn } from '../support/browser.ts'
import { isWholePdf, savedBy } from '../support/downloads.ts'
import { eventually, pathOf, people, storedSession } from '../support/people.ts'

const { person } = people()

const NEXT = 'lantern-moss-83'
const MOST_STEPS = 80

test('[GRID-03] the whole way from signing in to signing out needs no mouse', async () => {
  const page = await person()
  await page.goto('/login')
  await page.getByLabel('Username').waitFor()

  // Sign in.
  await tabTo(page, 'Username')
  await page.keyboard.type('demo')
  await tabTo(page, 'Password')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.getByRole('table', { name: 'Latest 5 invoices' }).waitFor()

  // Past the header in one step, then to the newest invoice's PDF.
  await page.keyboard.press('Tab')
  expect(await focused(page)).toMatchObject({ name: 'Skip to content', visible: true })
  await page.keyboard.press('Enter')
  await tabTo(page, /^Download PDF of /)
  const { content } = await savedBy(page, () => page.keyboard.press('Enter'))
  expect(isWholePdf(content)).toBe(true)

  // Open the one before it in a tab of its own.
  await tabTo(page, /^Open .+ in a new tab$/)
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await tab.close()

  // Switch the customer.
  await page.reload()
  await page.getByRole('table', { name: 'Latest 5 invoices' }).waitFor()
  const before = (await storedSession(page)).customer
  await tabTo(page, /Customer$/)
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor()
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await loaded
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await eventually(async () => (await storedSession(page)).customer).not.toBe(before)

  // To the invoices, and sort them.
  await tabTo(page, 'Invoices')
  await page.keyboard.press('Enter')
  // The link that was pressed has the same name: only the heading of the new section says that it is there.
  await page.getByRole('heading', { name: 'Invoices', exact: true, level: 1 }).and(page.locator(':focus')).waitFor()
  await page.getByRole('table', { name: 'Invoices', exact: true }).waitFor()
  await tabTo(page, 'Amount')
  await page.keyboard.press('Enter')
  await eventually(() => page.getByRole('columnheader', { name: 'Amount', exact: true }).getAttribute('aria-sort')).toBe('ascending')

  // Out by the Settings menu.
  await page.reload()
  await page.getByRole('table', { name: 'Invoices', exact: true }).waitFor()
  await tabTo(page, 'Settings')
  await page.keyboard.press('Enter')
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
  expect((await storedSession(page)).auth).toBeNull()
})

test('[GRID-03] a password is changed, and changed back, without a mouse', async () => {
  const page = await person()
  await signIn(page, 'nexio')
  await page.getByRole('banner').waitFor()
  await tabTo(page, 'Settings')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Change Password' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Current Password', { exact: true }).waitFor()
  expect(pathOf(page)).toBe('/settings')
  for (const [current, next] of [
    [DEMO_PASSWORD, NEXT],
    [NEXT, DEMO_PASSWORD],
  ] as const) {
    await tabTo(page, 'Current Password')
    await page.keyboard.type(current)
    await tabTo(page, 'New Password')
    await page.keyboard.type(next)
    await tabTo(page, 'Confirm New Password')
    await page.keyboard.type(next)
    await page.keyboard.press('Enter')
    await page.getByText('Your password was successfully updated').waitFor()
    await tabTo(page, 'Close')
    await page.keyboard.press('Enter')
    await eventually(() => page.getByText('Your password was successfully updated').count()).toBe(0)
  }
})

interface Focused {
  readonly name: string
  /** Does it stand inside the window, with a focus ring or a caret to see? */
  readonly visible: boolean
}

/** What has the focus, by the name that a screen reader says. */
const focused = (page: Page): Promise<Focused> =>
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

/** Presses Tab until something of this name has the focus; it and everything on the way must show where the focus is. */
const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const passed: string[] = []
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (typeof name === 'string' ? now.name === name : name.test(now.name)) {
      expect({ at: now.name, ring: now.visible }).toEqual({ at: now.name, ring: true })
      return
    }
    passed.push(now.name)
  }
  throw new Error(`Tab never came to ${name}; it passed ${passed.join(' | ')}`)
}
