import { test } from 'vitest'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { usePages } from '../../support/pages.ts'
import { bpoint } from './bpoint.driver.ts'
import { expectKept, fill, inGroups } from './forms.ts'
import { createProviderPayer } from './provider-payer.ts'
import { expectTitles, openDialog } from './stored-methods.ts'

const { openPage } = usePages()

test('[SP-04][PM-06][PM-100] type 10: a missing script is only logged; the form stays, says why it was not sent, and can be sent later', async () => {
  const { username, password } = await createProviderPayer(bpoint, 1)
  const page = await openPage()
  await enter(page, username, password, '/payment-types')
  const stopFailing = await failRequests(page, '**/clientscripts/api.js', (route) => route.abort())
  const logged: string[] = []
  page.on('console', (message) => void logged.push(message.text()))
  const dialog = await openDialog(page, 'card')
  await expect.poll(() => logged.join()).toContain('The script of BPOINT is missing.')
  await expect(dialog.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  await fill(dialog, bpoint.card.typed)
  const add = dialog.getByRole('button', { name: 'Add' })
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'a script of our payment partner is blocked' })).toBeVisible()
  await expectKept(dialog, { 'Card number': inGroups(bpoint.card.typed['Card number'] ?? '') })
  stopFailing()
  await add.click()
  await expectTitles(page, 'Cards', [`${bpoint.card.title} Default`])
})
