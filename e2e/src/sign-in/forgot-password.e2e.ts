import type { Page } from 'playwright-core'
import { afterEach, test } from 'vitest'
import { DEMO_PASSWORD, PHONE, submitSignIn } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'

const SENT_TEXT =
  'Password reset email will be sent to the associated email address. If you not received this email please check your username and try again, or contact support'
const UPDATED_TEXT =
  'Your password has been reset successfully! Your new password has been sent to your primary email address. Click Back to Login to return to the login page.'
const EXPIRED_TEXT = 'Your change password session has expired. Please try again.'
const NEW_PASSWORD = 'Quarry-Otter-29-lantern'

const { openPage } = usePages()

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const fetchMails = async (to: string): Promise<Mail[]> => {
  const answer = await fetch(`${testEnvironment().sandboxUrl}/mail`)
  return ((await answer.json()) as Mail[]).filter((mail) => mail.to === to)
}

const fetchResetLinks = async (to: string): Promise<string[]> =>
  (await fetchMails(to)).flatMap(({ text }) => /^\S+\/reset-password\/[\w-]+$/m.exec(text)?.[0] ?? [])

/** Waits for one more mail than there were before, and returns its link. */
const waitForResetLink = async (to: string, before: number): Promise<string> => {
  await expect.poll(async () => (await fetchResetLinks(to)).length).toBe(before + 1)
  return (await fetchResetLinks(to))[0] ?? ''
}

const requestApi = async (path: string, token: string, customer: string, body?: object): Promise<Response> =>
  fetch(testEnvironment().url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      ...(customer === '' ? {} : { 'x-customer-id': customer }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const requestToken = async (username: string, password: string): Promise<string | undefined> => {
  const form = { grant_type: 'password', username, password, client_id: 'e2e', client_secret: 'e2e' }
  const answer = await fetch(`${testEnvironment().url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token?: string }).access_token
}

const changedUsers = new Set<string>()

// Other tests sign in with the demo password, so a test that changed it changes it back.
afterEach(async () => {
  for (const username of changedUsers) {
    const token = await requestToken(username, NEW_PASSWORD)
    if (token === undefined) continue
    const me = (await (await requestApi('/v1/ec/me', token, '')).json()) as { customers: { customerId: number }[] }
    const given = { oldPassword: NEW_PASSWORD, newPassword: DEMO_PASSWORD }
    expect((await requestApi('/v1/ec/password', token, String(me.customers[0]?.customerId), given)).status).toBe(204)
  }
  changedUsers.clear()
})

const tabTo = async (page: Page, name: string): Promise<void> => {
  const focused = page.locator(':focus')
  for (let at = 0; at < 12; at += 1) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) > 0 && ((await focused.textContent()) ?? '').trim() === name) return
  }
  throw new Error(`Tab does not come to ${name}`)
}

test('[AUTH-06] [AUTH-07] [AUTH-08] [RST-01] a forgotten password: mail, link, new password, sign-in, all by keyboard', async () => {
  const email = 'none@example.com'
  const before = (await fetchResetLinks(email)).length
  const page = await openPage()
  await page.goto('/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await tabTo(page, 'Forgot your password?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  const request = page.getByRole('button', { name: 'Request a new password' })
  await expect(request).toBeDisabled()
  await page.keyboard.press('Tab')
  await page.keyboard.type(email.slice(0, 5))
  await expect(request).toBeEnabled()
  await tabTo(page, 'Request a new password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter an email address, as in name@example.com.')).toBeVisible()
  // The invalid field has the focus, so one can type on.
  await page.keyboard.type(email.slice(5))
  await page.keyboard.press('Enter')
  await expect(page.getByText(SENT_TEXT)).toBeVisible()
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Log In' })).toBeVisible()

  const link = await waitForResetLink(email, before)
  expect(link.startsWith(`${testEnvironment().url}/reset-password/`)).toBe(true)

  const referrers: (string | undefined)[] = []
  page.on('request', (request) => referrers.push(request.headers()['referer']))
  await page.goto(link)
  const field = page.getByLabel('New Password', { exact: true })
  const update = page.getByRole('button', { name: 'Update Password' })
  await field.focus()
  await page.keyboard.type('12345')
  await expect(update).toBeDisabled()
  await page.keyboard.type('6')
  await expect(update).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByText('This password is too easy to guess.')).toBeVisible()
  await expect(field).toHaveValue('123456')
  await expect(field).toHaveAttribute('aria-invalid', 'true')

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(NEW_PASSWORD)
  changedUsers.add('none')
  await page.keyboard.press('Enter')
  await expect(page.getByText(UPDATED_TEXT)).toBeVisible()
  expect(referrers.filter((referrer) => referrer?.includes('/reset-password/'))).toEqual([])
  await tabTo(page, 'Back to Login')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Log In' })).toBeVisible()
  await submitSignIn(page, 'none', NEW_PASSWORD)
  await expect(page).toHaveURL('/invoices')

  await expect.poll(async () => (await fetchMails(email))[0]?.subject).toBe('Your password for Plain Billing was changed')
  for (const { text, html } of await fetchMails(email)) for (const part of [text, html]) expect(part).not.toContain(NEW_PASSWORD)
})

test('[RST-01] on a phone, after programs have opened the link: Show shows what was typed, nothing scrolls sideways, and the link works once; then it says what else can be done', async () => {
  const email = 'pinch@example.com'
  const before = (await fetchResetLinks(email)).length
  expect((await requestApi('/v1/ec/password-reset-request', '', '', { email })).status).toBe(204)
  const link = await waitForResetLink(email, before)

  for (const method of ['HEAD', 'GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
  const scanner = await openPage()
  await scanner.goto(link)
  await expect(scanner.getByRole('button', { name: 'Update Password' })).toBeVisible()

  const page = await openPage({ viewport: PHONE, hasTouch: true })
  await page.goto(link)
  const field = page.getByLabel('New Password', { exact: true })
  await field.fill(NEW_PASSWORD)
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show' }).tap()
  await expect(field).toHaveAttribute('type', 'text')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  changedUsers.add('pinch')
  await page.getByRole('button', { name: 'Update Password' }).tap()
  await expect(page.getByText(UPDATED_TEXT)).toBeVisible()
  expect(await requestToken('pinch', NEW_PASSWORD)).toBeDefined()

  await scanner.getByLabel('New Password', { exact: true }).fill(`${NEW_PASSWORD}-again`)
  await scanner.getByRole('button', { name: 'Update Password' }).click()
  await expect(scanner.getByText(EXPIRED_TEXT)).toBeVisible()
  await expect(scanner.getByLabel('New Password', { exact: true })).toHaveValue(`${NEW_PASSWORD}-again`)
  expect(await requestToken('pinch', `${NEW_PASSWORD}-again`)).toBeUndefined()
  await expect(scanner.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login')
  await scanner.getByRole('link', { name: 'Request a new password' }).click()
  await expect(scanner.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
})
