import type { Locator, Page } from 'playwright-core'
import { expect } from '../../support/expect.ts'
import type { Form, FormCase, Typed } from './provider-driver.ts'

/** Who pays in these tests. */
export const HOLDER = 'Ada Payer'
export const EMAIL = 'ada@payer.example'

/** As long as the overlay lies over a form after its payment has failed. */
export const OVERLAY_MS = 1_500

/** The fields of a card on our own pages. */
export const cardFields = (number: string, code = '739', expiry = '1231'): Typed => ({
  'Card number': number,
  'Expiry date': expiry,
  'Security code': code,
})

/** A card number as a field shows it. */
export const inGroups = (number: string): string => number.replaceAll(/\d{4}(?=\d)/g, '$& ')

/** Fills in fields, lists and boxes; nothing empties them. */
export const fill = async (form: Form, typed: Typed): Promise<void> => {
  for (const [label, text] of Object.entries(typed)) {
    const field = form.getByLabel(label)
    const kind = await field.evaluate((element) => (element instanceof HTMLInputElement ? element.type : element.tagName))
    if (kind === 'SELECT') await field.selectOption(text)
    else if (kind === 'checkbox') await field.setChecked(text !== '')
    else await field.fill(text)
  }
}

/** Fills in an empty form by the keyboard alone. */
export const typeByKeyboard = async (page: Page, form: Form, typed: Typed): Promise<void> => {
  await form.getByLabel(Object.keys(typed)[0] ?? '').focus()
  for (const [label, text] of Object.entries(typed)) {
    await expect(form.getByLabel(label)).toBeFocused()
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
}

/** Expects that nothing can be sent while any of these fields is empty. */
export const expectAllNeeded = async (form: Form, typed: Typed, submit: Locator): Promise<void> => {
  for (const [label, text] of Object.entries(typed)) {
    await fill(form, { [label]: '' })
    await expect(submit, label).toBeDisabled()
    await fill(form, { [label]: text })
  }
  await expect(submit).toBeEnabled()
}

/** Expects what stands in a form. */
export const expectKept = async (form: Form, kept: Typed): Promise<void> => {
  for (const [label, text] of Object.entries(kept)) await expect(form.getByLabel(label)).toHaveValue(text)
}

/** Sends what is refused, and expects its words and what stays; then types what is right. */
export const expectRefused = async (form: Form, { typed, refused, kept }: FormCase, submit: Locator): Promise<void> => {
  if (refused === undefined) return
  await fill(form, refused.typed)
  await submit.click()
  const alert = form.getByRole('alert').filter({ hasText: refused.says })
  await expect(alert.first()).toBeVisible()
  await expectKept(form, kept)
  await fill(form, typed)
}
