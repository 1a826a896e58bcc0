import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { PHONE, submitSignIn } from '../support/browser.ts'
import { runCli } from '../support/command-line.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'

const [US_RESELLER, US_CUSTOMER] = ['3001', '300101']
const NEW_PASSWORD = 'Quarry-Otter-29-lantern!'
const COMPLETE_TEXT = 'Registration complete! Click "Back to Login" to return to the login page.'
const EXPIRED_TEXT = 'Your registration session has expired. Please try again.'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const { openPage } = usePages()

/** A username and an email address that no other test uses. */
const newGuest = (): { username: string; email: string } => {
  const username = `guest-${randomUUID().slice(0, 8)}`
  return { username, email: `${username}@example.com` }
}

/** Invites a user by the command line, and returns the link of the mail. */
const inviteGuest = async ({ username, email }: { username: string; email: string }): Promise<string> => {
  const who = ['--name', 'Ada Guest', '--email', email, '--customer', US_CUSTOMER]
  await runCli(testEnvironment().dataDir, 'user', 'invite', username, ...who, '--brand', 'Atlantic Voice', '--reseller', US_RESELLER)
  return waitForInvitationLink(email)
}

const fetchMails = async (to: string): Promise<Mail[]> =>
  ((await (await fetch(`${testEnvironment().sandboxUrl}/mail`)).json()) as Mail[]).filter((mail) => mail.to === to)

const waitForInvitationLink = async (to: string): Promise<string> => {
  await expect.poll(async () => (await fetchMails(to)).length).toBe(1)
  return /^\S+\/finish-registration\/[\w-]+$/m.exec((await fetchMails(to))[0]?.text ?? '')?.[0] ?? ''
}

const readFocusedText = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let at = 0; at < 12; at += 1) {
    await page.keyboard.press('Tab')
    if ((await readFocusedText(page)) === name) return
  }
  throw new Error(`Tab does not come to ${name}`)
}

test('[REG-01] an invitation: mail, link, the six rules in order, the password, sign-in, all by keyboard', async () => {
  const { username, email } = newGuest()
  const link = await inviteGuest({ username, email })
  expect(link.startsWith(`${testEnvironment().url}/finish-registration/`)).toBe(true)
  expect(await fetchMails(email)).toMatchObject([{ subject: 'Finish your registration with Atlantic Voice' }])

  const page = await openPage()
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => referrers.push(request.headers()['referer']))
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'User Registration' })).toBeVisible()
  await expect(page).toHaveTitle('User Registration · Atlantic Voice')
  await expect(page.getByText(`Choose the password with which ${username} signs in at Atlantic Voice LLC.`)).toBeVisible()
  await expect(page.getByRole('img', { name: 'Atlantic Voice' })).toBeVisible()
  await expect(page.getByText('At least 8 characters with mixed case, numbers and special characters.')).toBeVisible()
  const finish = page.getByRole('button', { name: 'Finish Registration' })
  const password = page.getByLabel('Password', { exact: true })
  const confirmation = page.getByLabel('Confirm Password', { exact: true })
  await expect(finish).toBeDisabled()

  await password.focus()
  const steps: readonly [string, string][] = [
    ['aaaaaaa', 'Password shorter than 8 characters.'],
    ['a', "Password don't include at least one uppercase letter."],
    ['A', "Password don't include at least one number."],
    ['1', "Password don't include at least one special character."],
  ]
  for (const [typed, words] of steps) {
    await page.keyboard.type(typed)
    await expect(page.getByText(words, { exact: true })).toBeVisible()
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await expect(finish).toBeDisabled()
  }
  await password.fill('AAAAAAAA')
  await expect(page.getByText("Password don't include at least one lowercase letter.", { exact: true })).toBeVisible()
  await password.fill('Password1!')
  await expect(password).not.toHaveAttribute('aria-invalid')
  await tabTo(page, 'Show')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Password1')
  await expect(page.getByText('Passwords do not match.', { exact: true })).toBeVisible()
  await expect(finish).toBeDisabled()
  await page.keyboard.type('!')
  await expect(page.getByText('Passwords do not match.', { exact: true })).toHaveCount(0)
  await expect(finish).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByText('This password is too easy to guess.')).toBeVisible()
  for (const field of [password, confirmation]) await expect(field).toHaveValue('Password1!')

  await password.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(NEW_PASSWORD)
  await confirmation.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText(COMPLETE_TEXT, { exact: true })).toBeVisible()
  await expect.poll(() => readFocusedText(page)).toBe('User Registration')
  expect(referrers.filter((referrer) => referrer?.includes('/finish-registration/'))).toEqual([])
  await tabTo(page, 'Back to Login')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Log In' })).toBeVisible()
  await submitSignIn(page, username, NEW_PASSWORD)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(async () => (await fetchMails(email))[0]?.subject).toBe('Your registration with Atlantic Voice is complete')
  for (const { text, html } of await fetchMails(email)) for (const part of [text, html]) expect(part).not.toContain(NEW_PASSWORD)
})

test('[REG-01] on a phone, after programs have opened the link: Show shows what was typed, nothing scrolls sideways, and it works once; then it says so', async () => {
  const guest = newGuest()
  const link = await inviteGuest(guest)
  for (const method of ['HEAD', 'GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
  const scanner = await openPage()
  await scanner.goto(link)
  await expect(scanner.getByRole('button', { name: 'Finish Registration' })).toBeVisible()

  const page = await openPage({ viewport: PHONE, hasTouch: true })
  await page.goto(link)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill(NEW_PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Show' }).first().tap()
  await expect(password).toHaveAttribute('type', 'text')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await page.getByRole('button', { name: 'Finish Registration' }).tap()
  await expect(page.getByText(COMPLETE_TEXT, { exact: true })).toBeVisible()

  await scanner.getByLabel('Password', { exact: true }).fill(`${NEW_PASSWORD}-again`)
  await scanner.getByLabel('Confirm Password', { exact: true }).fill(`${NEW_PASSWORD}-again`)
  await scanner.getByRole('button', { name: 'Finish Registration' }).dblclick()
  await expect(scanner.getByText(EXPIRED_TEXT, { exact: true })).toBeVisible()
  await expect(scanner.getByLabel('Password', { exact: true })).toHaveValue(`${NEW_PASSWORD}-again`)
  for (const one of [page, scanner]) await expect(one.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login')
  expect(await isPassword(guest.username, NEW_PASSWORD)).toBe(true)
  expect(await isPassword(guest.username, `${NEW_PASSWORD}-again`)).toBe(false)
})

test('[REG-01][RST-01] the pages of mailed links say for whom they are and wear the brand of their user, on any host that is not another brand’s', async () => {
  const guest = newGuest()
  const invitation = await inviteGuest(guest)
  const reset = await runCli<{ url: string }>(testEnvironment().dataDir, 'user', 'reset-link', 'us')
  const { port } = new URL(testEnvironment().url)
  const page = await openPage()
  const openAt = (host: string, link: string) => page.goto(`http://${host}:${port}${new URL(link).pathname}`)
  for (const [host, link, intro] of [
    ['nobodys.example', invitation, `Choose the password with which ${guest.username} signs in at Atlantic Voice LLC.`],
    ['atlantic.example', reset.url, 'For us at Atlantic Voice LLC. You will be signed out on all your devices.'],
  ] as const) {
    await openAt(host, link)
    await expect(page.getByText(intro, { exact: true })).toBeVisible()
    await expect(page.getByRole('img', { name: 'Atlantic Voice' })).toBeVisible()
    await expect(page).toHaveTitle(/ · Atlantic Voice$/)
    // At another brand's host it is no link, and names nobody.
    await openAt('nimbus.example', link)
    await expect(page.getByRole('img', { name: 'Nimbus Mobile Data' })).toBeVisible()
    await expect(page.getByText(/Atlantic Voice|guest-/)).toHaveCount(0)
  }
})

/** Whether a user signs in with this password. */
const isPassword = async (username: string, password: string): Promise<boolean> => {
  const form = { grant_type: 'password', username, password, client_id: 'e2e', client_secret: 'e2e' }
  return (await fetch(`${testEnvironment().url}/token`, { method: 'POST', body: new URLSearchParams(form) })).ok
}
