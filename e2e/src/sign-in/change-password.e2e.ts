import type { Customer } from '@counterfoil/contract/customers'
import type { Page } from 'playwright-core'
import { afterEach, test } from 'vitest'
import { DEMO_PASSWORD } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { readStoredSession } from '../support/session.ts'

const { openPageAs, signInAs } = usePages()

const USER = 'pinch'
const NEW_PASSWORD = 'lantern-moss-83'

// Other tests sign in with the demo password, so a test that changed it changes it back.
afterEach(async () => {
  const { access_token: token } = await requestToken(NEW_PASSWORD)
  if (token === undefined) return
  const headers = { authorization: `Bearer ${token}` }
  const me = await fetch(`${testEnvironment().url}/v1/ec/me`, { headers })
  const { customers } = (await me.json()) as { customers: Customer[] }
  const answer = await fetch(`${testEnvironment().url}/v1/ec/password`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-customer-id': String(customers[0]?.customerId) },
    body: JSON.stringify({ oldPassword: NEW_PASSWORD, newPassword: DEMO_PASSWORD }),
  })
  expect(answer.ok).toBe(true)
})

test('[PWD-01][PWD-02] the form rates a new password in five words, waits until all is right, and says beside each field what is wrong', async () => {
  const page = await openChangePassword(USER)
  await expectMeterWords(page)
  await expectButtonWaits(page)

  await fillPasswords(page, DEMO_PASSWORD, NEW_PASSWORD, 'other')
  await expect(page.getByText("Password confirmation doesn't match", { exact: true })).toBeVisible()
  await expect.poll(() => descriptionOf(page, 'Confirm New Password')).toContain("Password confirmation doesn't match")
  await page.getByLabel('Confirm New Password', { exact: true }).fill(NEW_PASSWORD)
  await expect(page.getByText("Password confirmation doesn't match")).toHaveCount(0)

  // A wrong current password: what was typed stays.
  await fillPasswords(page, 'not my password', NEW_PASSWORD, NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
  await expect(page.getByLabel('Current Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect.poll(() => descriptionOf(page, 'Current Password')).not.toBe('')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('current-password')
  await expect(page.getByLabel('Current Password', { exact: true })).toHaveValue('not my password')
  await expect(page.getByLabel('New Password', { exact: true })).toHaveValue(NEW_PASSWORD)

  // Six characters that are easily guessed are refused by the server.
  await fillPasswords(page, DEMO_PASSWORD, 'abcdef', 'abcdef')
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
  await expect(page.getByLabel('New Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Our server returned error')).toHaveCount(0)
  expect((await requestToken(DEMO_PASSWORD)).access_token).toBeDefined()
})

test('[PWD-02][PWD-03] a change says so, empties the fields, ends the sessions elsewhere and keeps this one', async () => {
  const page = await openChangePassword(USER)
  const elsewhere = await signInAs(USER)
  await fillPasswords(page, DEMO_PASSWORD, NEW_PASSWORD, NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
  await expect(page.getByRole('status').getByText('Your password was successfully updated', { exact: true })).toBeVisible()
  for (const label of ['Current Password', 'New Password', 'Confirm New Password'])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('')

  await elsewhere.goto('/invoices')
  await expect(elsewhere).toHaveURL('/login?r=%2Finvoices')
  expect((await readStoredSession(elsewhere)).auth).toBeNull()
  await page.getByRole('link', { name: 'Invoices' }).click()
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()

  expect((await requestToken(DEMO_PASSWORD)).access_token).toBeUndefined()
  expect((await requestToken(NEW_PASSWORD)).access_token).toBeDefined()
})

const expectMeterWords = async (page: Page): Promise<void> => {
  const meter = page.getByLabel('Password strength')
  await expect(meter).toHaveText('')
  for (const [password, word] of [
    [NEW_PASSWORD, 'Great'],
    ['qx7!', 'Bad'],
    ['password', 'Weak'],
    ['blueferry', 'Decent'],
    ['river-lantern', 'Strong'],
    ['tiger21', 'Weak'],
    ['abc', 'Bad'],
  ] as const) {
    await page.getByLabel('New Password', { exact: true }).fill(password)
    await expect(meter).toHaveText(word)
  }
}

/** Expects that the button waits for the current password, six characters, and a confirmation that equals them. */
const expectButtonWaits = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Change Password', exact: true })
  for (const [current, next, confirmation, isComplete] of [
    ['', NEW_PASSWORD, NEW_PASSWORD, false],
    [DEMO_PASSWORD, 'abcde', 'abcde', false],
    [DEMO_PASSWORD, 'abcdef', 'abcdef', true],
    [DEMO_PASSWORD, NEW_PASSWORD, '', false],
    [DEMO_PASSWORD, NEW_PASSWORD, NEW_PASSWORD, true],
    [DEMO_PASSWORD, NEW_PASSWORD, `${NEW_PASSWORD}x`, false],
  ] as const) {
    await fillPasswords(page, current, next, confirmation)
    await (isComplete ? expect(button).toBeEnabled() : expect(button).toBeDisabled())
  }
}

const openChangePassword = async (username: string): Promise<Page> => {
  const page = await openPageAs(username, '/settings')
  await expect(page.getByLabel('Current Password', { exact: true })).toBeVisible()
  return page
}

const fillPasswords = async (page: Page, current: string, next: string, confirmation: string): Promise<void> => {
  await page.getByLabel('Current Password', { exact: true }).fill(current)
  await page.getByLabel('New Password', { exact: true }).fill(next)
  await page.getByLabel('Confirm New Password', { exact: true }).fill(confirmation)
}

/** The text of the elements that describe a field. */
const descriptionOf = (page: Page, label: string): Promise<string> =>
  page.getByLabel(label, { exact: true }).evaluate((field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

/** Requests a token over HTTP. Without access_token where the password is wrong. */
const requestToken = async (password: string): Promise<{ access_token?: string }> => {
  const body = new URLSearchParams({ grant_type: 'password', username: USER, password, client_id: 'e2e', client_secret: 'e2e' })
  const answer = await fetch(`${testEnvironment().url}/token`, { method: 'POST', body })
  return answer.json()
}
