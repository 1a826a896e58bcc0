import { test } from 'vitest'
import { usePages } from '../support/pages.ts'
import { expectEmptyDialog } from './required-fields.ts'

const { openPageAs } = usePages()

test('[PM-07][PM-08] a method that cannot be added yet says what is still needed, required fields stand before optional ones, and axe finds nothing', async () => {
  const page = await openPageAs('demo', '/payment-types')
  for (const name of ['Add card', 'Add bank account']) {
    await page.getByRole('button', { name }).click()
    await expectEmptyDialog(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  }
})
