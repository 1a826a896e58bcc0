import type { Locator, Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { expect } from '../support/expect.ts'

/** Expects that the fields of a form that must be filled in stand before all others, and that the others say that they are optional. */
export const expectRequiredFirst = async (form: Locator): Promise<void> => {
  const fields = await form.locator('label:visible').evaluateAll((labels) =>
    labels.flatMap((label) => {
      if (!(label instanceof HTMLLabelElement)) return []
      const legend = label.closest('fieldset')?.querySelector('legend')?.textContent ?? ''
      const name = label.textContent
      const isOptional = `${legend} ${name}`.includes('(optional)')
      // A provider's own field stands in a frame, which has no such mark.
      const isRequired = label.control?.matches('[required],[aria-required=true]') ?? !isOptional
      return [{ name: isRequired === isOptional ? `${name}, which is ${isRequired ? 'required' : 'not required'}` : name, isOptional }]
    }),
  )
  const inOrder = fields.toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional))
  expect(fields.map(({ name }) => name)).toEqual(inOrder.map(({ name }) => name))
  expect(fields.filter(({ name }) => /, which is (not )?required$/.test(name))).toEqual([])
}

/** Expects that an empty dialog that adds a method says what is still needed, in the right order, and that axe finds nothing. */
export const expectEmptyDialog = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add', exact: true })
  await expect(add).toBeDisabled()
  const note = dialog.getByText(/^Still needed: \w/)
  await expect(note).toBeVisible()
  expect(await add.getAttribute('aria-describedby')).toBe(await note.getAttribute('id'))
  await expectRequiredFirst(dialog)
  expect(await findViolations(page)).toEqual([])
}
