import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'

const { signInAs } = usePages()

test('[NAV-09] each section says its title', async () => {
  const page = await signInAs('demo')
  for (const [path, title] of [
    ['/transactions', 'Transactions'],
    ['/usage', 'Usage'],
    ['/reports', 'Reports'],
    ['/cost-centre', 'Cost Centre Allocation'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})
