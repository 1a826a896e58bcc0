import type { Locator } from 'playwright-core'
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
