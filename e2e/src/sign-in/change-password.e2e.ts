import type { Customer } from '@counterfoil/contract/customers'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { DEMO_PASSWORD, signIn } from '../support/browser.ts'
import { eventually, people, storedSession } from '../support/people.ts'
import { world } from '../support/world.ts'

const { person, signedIn } = people()

const USER = 'pinch'
const NEXT = 'lantern-moss-83'

// Whatever a test came to, the password is the demo world's again.
afterEach(async () => {
  const { access_token: token } = await signInAs(NEXT)
  if (token === undefined) return
  const headers = { authorization: `Bearer ${token}` }
  const me = await fetch(`${world().url}/v1/ec/me`, { headers })
  const { customers } = (await me.json()) as { customers: Customer[] }
  const answer = await fetch(`${world().url}/v1/ec/password`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-customer-id': String(customers[0]?.customerId) },
    body: JSON.stringify({ oldPassword: NEXT, newPassword: DEMO_PASSWORD }),
  })
  expect(answer.ok).toBe(true)
})

test('[PWD-01] the meter says Bad, Weak, Decent, Strong or Great', async () => {
  const page = await changePasswordOf(USER)
  const meter = page.getByLabel('Password strength')
  expect(await meter.textContent()).toBe('')
  for (const [password, word] of [
    [NEXT, 'Great'],
    ['qx7!', 'Bad'],
    ['password', 'Weak'],
    ['blueferry', 'Decent'],
    ['river-lantern', 'Strong'],
    ['tiger21', 'Weak'],
    ['abc', 'Bad'],
  ] as const) {
    await page.getByLabel('New Password', { exact: true }).fill(password)
    await eventually(() => meter.textContent()).toBe(word)
  }
})

test('[PWD-01] the button waits for the current password, six characters, and a confirmation that equals them', async () => {
  const page = await changePasswordOf(USER)
  const button = page.getByRole('button', { name: 'Change Password', exact: true })
  const opened: Record<string, boolean> = {}
  for (const [current, next, confirmation] of [
    ['', NEXT, NEXT],
    [DEMO_PASSWORD, 'abcde', 'abcde'],
    [DEMO_PASSWORD, NEXT, ''],
    [DEMO_PASSWORD, NEXT, `${NEXT}x`],
    [DEMO_PASSWORD, 'abcdef', 'abcdef'],
    [DEMO_PASSWORD, NEXT, NEXT],
  ] as const) {
    await typeIn(page, current, next, confirmation)
    opened[`${current}/${next}/${confirmation}`] = await button.isEnabled()
  }
  expect(Object.values(opened)).toEqual([false, false, false, false, true, true])
})

test("[PWD-02] a confirmation that differs is told beside its field: Password confirmation doesn't match", async () => {
  const page = await changePasswordOf(USER)
  await typeIn(page, DEMO_PASSWORD, NEXT, 'other')
  await page.getByText("Password confirmation doesn't match", { exact: true }).waitFor()
  expect(await descriptionOf(page, 'Confirm New Password')).toContain("Password confirmation doesn't match")
  await page.getByLabel('Confirm New Password', { exact: true }).fill(NEXT)
  await eventually(() => page.getByText("Password confirmation doesn't match").count()).toBe(0)
})

test('a wrong current password is told beside its field, and what was typed stays', async () => {
  const page = await changePasswordOf(USER)
  await typeIn(page, 'not my password', NEXT, NEXT)
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
  await eventually(() => page.getByLabel('Current Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect(await descriptionOf(page, 'Current Password')).not.toBe('')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('current-password')
  expect(await page.getByLabel('Current Password', { exact: true }).inputValue()).toBe('not my password')
  expect(await page.getByLabel('New Password', { exact: true }).inputValue()).toBe(NEXT)
  expect(await page.getByText('Our server returned error').count()).toBe(0)
})

test('[PWD-01] a password of six characters that is easily guessed is refused by the server beside its field', async () => {
  const page = await changePasswordOf(USER)
  await typeIn(page, DEMO_PASSWORD, 'abcdef', 'abcdef')
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
  await eventually(() => page.getByLabel('New Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect((await signInAs(DEMO_PASSWORD)).access_token).toBeDefined()
})

test('[PWD-02][PWD-03] a change says so, empties the fields, ends the sessions elsewhere and keeps this one', async () => {
  const page = await changePasswordOf(USER)
  const elsewhere = await signedIn(USER)
  await typeIn(page, DEMO_PASSWORD, NEXT, NEXT)
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
  await page.getByRole('status').getByText('Your password was successfully updated', { exact: true }).waitFor()
  for (const label of ['Current Password', 'New Password', 'Confirm New Password'])
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe('')

  await elsewhere.goto('/invoices')
  await elsewhere.waitForURL('**/login?r=%2Finvoices')
  expect((await storedSession(elsewhere)).auth).toBeNull()
  await page.goto('/invoices')
  await page.getByRole('table', { name: 'Invoices' }).waitFor()

  expect((await signInAs(DEMO_PASSWORD)).access_token).toBeUndefined()
  await signIn(await person(), USER, NEXT)
})

const changePasswordOf = async (username: string): Promise<Page> => {
  const page = await signedIn(username)
  await page.goto('/settings')
  await page.getByLabel('Current Password', { exact: true }).waitFor()
  return page
}

const typeIn = async (page: Page, current: string, next: string, confirmation: string): Promise<void> => {
  await page.getByLabel('Current Password', { exact: true }).fill(current)
  await page.getByLabel('New Password', { exact: true }).fill(next)
  await page.getByLabel('Confirm New Password', { exact: true }).fill(confirmation)
}

/** What a screen reader reads after the name of a field. */
const descriptionOf = (page: Page, label: string): Promise<string> =>
  page.getByLabel(label, { exact: true }).evaluate((field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

/** Signs in as a machine does; no token where the password is wrong. */
const signInAs = async (password: string): Promise<{ access_token?: string }> => {
  const body = new URLSearchParams({ grant_type: 'password', username: USER, password, client_id: 'e2e', client_secret: 'e2e' })
  const answer = await fetch(`${world().url}/token`, { method: 'POST', body })
  return answer.json()
}
