import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { expectRequiredFirst } from './required-fields.ts'

const { signInAs } = usePages()

const BOTH = ['Add card', 'Add bank account']

test.each([
  ['demo', ['Add card', 'Add bank account']],
  ['authorize', BOTH],
  ['moneris', ['Add card']],
  ['pinch', BOTH],
  ['nexio', BOTH],
  ['bpoint', BOTH],
])(
  '[PM-07][PM-08] %s: a method that cannot be added yet says what is still needed, and required fields stand before optional ones',
  async (user, forms) => {
    const page = await signInAs(user)
    await page.goto('/payment-types')
    for (const name of forms) {
      await page.getByRole('button', { name }).click()
      const dialog = page.getByRole('dialog')
      const add = dialog.getByRole('button', { name: 'Add', exact: true })
      await expect(add).toBeDisabled()
      const note = dialog.getByText(/^Still needed: \w/)
      await expect(note).toBeVisible()
      expect(await add.getAttribute('aria-describedby')).toBe(await note.getAttribute('id'))
      await expectRequiredFirst(dialog)
      expect(await findViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
  },
)
