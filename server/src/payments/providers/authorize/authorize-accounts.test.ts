import { expect, test } from 'vitest'
import { acceptToken, AUTHORIZE } from '../../../../test/payments/providers/authorize.driver.ts'
import { useProviderPayers } from '../../../../test/payments/providers/provider-payer.ts'

const { fixture, connect } = await useProviderPayers()
const ACH = '/v1/ec/autorize/ach'

test('[PM-21] authorize: an account is changed, but for its numbers, which are masked', async () => {
  const { payer, store } = await connect(AUTHORIZE)
  const account = AUTHORIZE.api.listed.account
  const id = await store('bank')
  const change = { nameOnAccount: 'Ada King', bankName: 'First Bank', accountType: 'savings' }
  const masked = { id, ...change, routingNumber: 'XXXX2882', accountNumber: 'XXXX6789' }
  expect((await payer.me.put(ACH, masked)).json()).toMatchObject({ ...account, id, ...change, billingDetails: { name: 'Ada King' } })
  expect((await payer.me.put(ACH, { ...masked, accountNumber: '987654321' })).body).toContain('cannot be changed')
})

test.each([
  [' 1210-4288 2\u00A0', '1234-5678 9', 'XXXX6789'],
  ['1 2 1 0 4 2 8 8 2', '1 2 3 4 – 5 6 7 8 – 9 0 1 2 – 3 4 5 6 – 7', 'XXXX4567'],
])('[PM-21] authorize: the numbers of an account may be sent as they are printed: %s, %s', async (routing, number, masked) => {
  const { store, list } = await connect(AUTHORIZE)
  await store('bank', {}, { routingNumber: routing, accountNumber: number })
  expect(await list('bank')).toMatchObject([{ routingNumber: 'XXXX2882', accountNumber: masked }])
})

test('[PM-21] authorize: where the reseller takes no bank accounts none is stored', async () => {
  const { payer, run } = await connect(AUTHORIZE)
  await run('reseller payments set', [String(payer.resellerId)], { debit: 'none' })
  expect((await AUTHORIZE.store.bank?.(payer, fixture.sandbox))?.json()).toMatchObject({ code: 'method_not_accepted' })
})

test('[PM-20] [SP-01] authorize: where card numbers are taken a token of Accept.js stores a card and pays by link as well', async () => {
  const { payer, list, invoice, payByLink, bookedFor } = await connect(AUTHORIZE)
  const token = () => acceptToken(fixture.sandbox, `login${payer.resellerId}`)
  const stored = await payer.me.post(AUTHORIZE.api.paths.cards, { token: await token(), zip: '46217' })
  expect(stored.json(), stored.body).toMatchObject({ status: 'succeeded' })
  expect(await list()).toHaveLength(1)
  const id = await invoice()
  expect((await payByLink(id, { cardToken: await token() })).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
  expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
})
