import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { DESKTOP, PHONE } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { declineNextCharge } from '../sandbox-faults.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { DRIVERS } from './drivers.ts'
import { EMAIL, expectAllNeeded, expectKept, expectRefused, fill, HOLDER, OVERLAY_MS, typeByKeyboard } from './forms.ts'
import { createProviderPayer } from './provider-payer.ts'
import { collectSent, withoutRefusals } from './sent-requests.ts'

const { openPage } = usePages()

test.each(DRIVERS)(
  '[SP-01][SP-02][SP-03][SP-04][PAY-01][GRID-03] type $type, $name: a link is filled in by keyboard; a wrong field and a declined card say why, what was typed stays, and another card pays once, with a receipt',
  async ({ name, currency, total, declined, frame, link, takesCardNumbers, reseller }) => {
    const payer = await createProviderPayer({ reseller }, 1)
    const [number = ''] = payer.numbers
    const path = await payer.payPath(number)
    const page = await openPage()
    const [errors, sent, appScripts] = [await collectPageErrors(page), collectSent(page), collectAppScripts(page)]
    await page.goto(path)
    const form = frame?.(page) ?? page
    const pay = form.getByRole('button', { name: `Pay ${total}` })
    await typeByKeyboard(page, form, link.typed)
    expect(appScripts).toEqual([])
    await expectAccessible(page)
    if (frame === undefined) await expectAllNeeded(form, link.typed, pay)
    await fill(form, { Email: EMAIL })

    await page.clock.install()
    await expectRefused(form, link, pay)
    await page.clock.fastForward(OVERLAY_MS)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await declineNextCharge(name)
    await pay.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toContainText(declined)
    await page.clock.fastForward(OVERLAY_MS)
    // A frame is used once; the next one is empty.
    await expectKept(form, frame === undefined ? link.kept : { 'Card number': '' })
    await fill(form, { ...link.another, Email: EMAIL })
    if (frame === undefined) await expect(page.getByText('Payment Failed')).toHaveCount(0)

    await pay.dblclick()
    await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
    await expect(page.getByText(`You paid ${total} to `)).toBeVisible()
    await expect(page.getByText(`Receipt will be delivered to ${EMAIL}`)).toBeVisible()
    const paid = { uid: path.split('/').at(-1), invoiceNumber: number, invoiceAmount: '110.00', shownTotal: 110 }
    if (link.sent !== undefined) expect(sent.at(-1)).toEqual({ ...paid, email: EMAIL, cardHolder: HOLDER, ...link.sent })
    if (takesCardNumbers === undefined) expect(JSON.stringify(sent)).not.toMatch(/\d{14}/)
    expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([
      { provider: name, amount: 11_000, currency, status: 'succeeded' },
    ])
    expect(withoutRefusals(errors)).toEqual([])
  },
)

/** The addresses of the scripts that only the signed-in app needs, as the page loads them: they are twice as large as all that a link needs. */
const collectAppScripts = (page: Page): string[] => {
  const found: string[] = []
  page.on('request', (request) => {
    if (/\/assets\/(app|screens|tiles)-/.test(request.url())) found.push(request.url())
  })
  return found
}

/** Expects that axe finds nothing on the page, and that nothing scrolls sideways on a phone. */
const expectAccessible = async (page: Page): Promise<void> => {
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(PHONE)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await page.setViewportSize(DESKTOP)
}
