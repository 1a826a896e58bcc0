import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { DEMO_PASSWORD, PHONE, signIn } from '../support/browser.ts'
import { eventually, people } from '../support/people.ts'
import { world } from '../support/world.ts'

const SENT =
  'Password reset email will be sent to the associated email address. If you not received this email please check your username and try again, or contact support'
const UPDATED =
  'Your password has been reset successfully! Your new password has been sent to your primary email address. Click Back to Login to return to the login page.'
const EXPIRED = 'Your change password session has expired. Please try again.'
const NEW = 'Quarry-Otter-29-lantern'

const { person } = people()

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const mailsTo = async (to: string): Promise<Mail[]> => {
  const answer = await fetch(`${world().sandboxUrl}/mail`)
  return ((await answer.json()) as Mail[]).filter((mail) => mail.to === to)
}

const linksTo = async (to: string): Promise<string[]> =>
  (await mailsTo(to)).flatMap(({ text }) => /^\S+\/reset-password\/[\w-]+$/m.exec(text)?.[0] ?? [])

/** The link of the mail that comes after those that are there already. */
const nextLink = async (to: string, before: number): Promise<string> => {
  await eventually(async () => (await linksTo(to)).length).toBe(before + 1)
  return (await linksTo(to))[0] ?? ''
}

const call = async (path: string, token: string, customer: string, body?: object): Promise<Response> =>
  fetch(world().url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(customer === '' ? {} : { 'x-customer-id': customer }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const tokenOf = async (username: string, password: string): Promise<string | undefined> => {
  const form = { grant_type: 'password', username, password, client_id: 'e2e', client_secret: 'e2e' }
  const answer = await fetch(`${world().url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token?: string }).access_token
}

const changed = new Set<string>()

/** Other tests sign these people in with the password of the demo world. */
afterEach(async () => {
  for (const username of changed) {
    const token = await tokenOf(username, NEW)
    if (token === undefined) continue
    const me = (await (await call('/v1/ec/me', token, '')).json()) as { customers: { customerId: number }[] }
    const given = { oldPassword: NEW, newPassword: DEMO_PASSWORD }
    expect((await call('/v1/ec/password', token, String(me.customers[0]?.customerId), given)).status).toBe(204)
  }
  changed.clear()
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
  const before = (await linksTo(email)).length
  const page = await person()
  await page.goto('/login')
  await page.getByLabel('Username').waitFor()
  await tabTo(page, 'Forgot your password?')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  const request = page.getByRole('button', { name: 'Request a new password' })
  expect(await request.isDisabled()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.type(email.slice(0, 5))
  expect(await request.isEnabled()).toBe(true)
  await tabTo(page, 'Request a new password')
  await page.keyboard.press('Enter')
  await page.getByText('Enter an email address, as in name@example.com.').waitFor()
  // The field that is wrong has the focus: one types on, and a screen reader reads what is wrong with it.
  await page.keyboard.type(email.slice(5))
  await page.keyboard.press('Enter')
  await page.getByText(SENT).waitFor()
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Log In' }).waitFor()

  const link = await nextLink(email, before)
  expect(link.startsWith(`${world().url}/reset-password/`)).toBe(true)

  const referrers: (string | undefined)[] = []
  page.on('request', (request) => referrers.push(request.headers()['referer']))
  await page.goto(link)
  const field = page.getByLabel('New Password')
  const update = page.getByRole('button', { name: 'Update Password' })
  await field.focus()
  await page.keyboard.type('12345')
  expect(await update.isDisabled()).toBe(true)
  await page.keyboard.type('6')
  expect(await update.isEnabled()).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('This password is too easy to guess.').waitFor()
  expect(await field.inputValue()).toBe('123456')
  expect(await field.getAttribute('aria-invalid')).toBe('true')

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(NEW)
  changed.add('none')
  await page.keyboard.press('Enter')
  await page.getByText(UPDATED).waitFor()
  expect(referrers.filter((referrer) => referrer?.includes('/reset-password/'))).toEqual([])
  await tabTo(page, 'Back to Login')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Log In' }).waitFor()
  await signIn(page, 'none', NEW)

  await eventually(async () => (await mailsTo(email))[0]?.subject).toBe('Your password for Plain Billing was changed')
  for (const { text, html } of await mailsTo(email)) for (const part of [text, html]) expect(part).not.toContain(NEW)
})

test('[RST-01] on a phone, after programs have opened the link: Show tells what was typed, nothing scrolls sideways, and the link works once', async () => {
  const email = 'pinch@example.com'
  const before = (await linksTo(email)).length
  const page = await person({ viewport: PHONE, hasTouch: true })
  await page.goto('/login#forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Request a new password' }).tap()
  await page.getByText(SENT).waitFor()
  const link = await nextLink(email, before)

  for (const method of ['HEAD', 'GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
  const scanner = await person()
  await scanner.goto(link)
  await scanner.getByRole('button', { name: 'Update Password' }).waitFor()

  await page.goto(link)
  const field = page.getByLabel('New Password')
  await field.fill(NEW)
  expect(await field.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Show' }).tap()
  expect(await field.getAttribute('type')).toBe('text')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  changed.add('pinch')
  await page.getByRole('button', { name: 'Update Password' }).tap()
  await page.getByText(UPDATED).waitFor()

  await scanner.getByLabel('New Password').fill(`${NEW}-again`)
  await scanner.getByRole('button', { name: 'Update Password' }).click()
  await scanner.getByText(EXPIRED).waitFor()
  expect(await scanner.getByLabel('New Password').inputValue()).toBe(`${NEW}-again`)
  await page.getByRole('link', { name: 'Back to Login' }).tap()
  await page.getByRole('heading', { name: 'Log In' }).waitFor()
  await signIn(page, 'pinch', NEW)
})

test('[RST-01] a link that never was says so as the specification does, and leads to the sign-in page', async () => {
  const page = await person()
  await page.goto('/reset-password/nobody-was-given-this')
  await page.getByLabel('New Password').fill(NEW)
  await page.getByRole('button', { name: 'Update Password' }).click()
  await page.getByText(EXPIRED).waitFor()
  await page.getByRole('link', { name: 'Request a new password' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await page.getByRole('heading', { name: 'Log In' }).waitFor()
})
