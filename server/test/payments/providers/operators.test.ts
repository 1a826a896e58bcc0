import { expect } from 'vitest'
import type { ApiProvider } from './provider-driver.ts'
import { type ProviderPayer, testEach, useProviderPayers } from './provider-payer.ts'

const { fixture, connect } = await useProviderPayers()

testEach('[OPS-03] $name: the account is tested, and settings that are wrong or refused are named', async (driver) => {
  const { account, wrongSettings, refusedSettings } = driver.api
  const { set, test } = await connect(driver)
  expect((await test()).json()).toMatchObject({ provider: driver.name, canCharge: true, ...account })
  expect((await set(wrongSettings)).err.join()).toContain(`The settings of ${driver.name} are not usable`)
  const [settings, words] = refusedSettings
  await set(settings, { yes: true })
  expect((await test()).err.join()).toContain(words)
})

testEach('[PAY-01] $name: autopay charges the default card of a customer who allows it, once', async (driver) => {
  const { payer, store, run, bookedFor } = await connect(driver)
  await store()
  await payer.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
  await run('reseller payments set', [String(payer.resellerId)], { askPermission: 'on' })
  fixture.context.advance(1_000)
  const id = await payer.invoice({ currency: driver.currency, due_on: fixture.context.clock().toISOString().slice(0, 10) })
  const autopay = async () => (await run('autopay run', [], { reseller: String(payer.resellerId) })).json<{ payments: object[] }>().payments
  expect(await autopay()).toMatchObject([{ outcome: 'paid', amount: '110.00' }])
  expect(await autopay()).toEqual([])
  expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
})

/** A customer with an invoice that was paid by card. */
const payCard = async (driver: ApiProvider): Promise<ProviderPayer & { readonly id: number }> => {
  const owner = await connect(driver)
  const id = await owner.invoice()
  expect((await owner.payByLink(id, await owner.enter(id))).json()).toMatchObject({ status: 'succeeded' })
  return { ...owner, id }
}

testEach('[PAY-01] $name: all of a payment is given back with one command, once; its invoice stays paid', async (driver) => {
  const { id, payer, refund, run, attemptOf, bookedFor } = await payCard(driver)
  const { partBeforeSettlement } = driver.api
  if (partBeforeSettlement !== undefined) expect((await refund(id, { amount: '12.50' })).err.join()).toContain(partBeforeSettlement)
  const refunded = await refund(id)
  expect(refunded.json(), refunded.err.join()).toMatchObject({ refunded: '110.00', attempt: { status: 'refunded', refunded: '110.00' } })
  await run('payments look-up', [(await attemptOf(id)).id])
  expect(await attemptOf(id)).toMatchObject({ status: 'refunded' })
  expect((await refund(id)).err.join()).toContain('The whole payment was returned already.')
  expect(await bookedFor(id)).toEqual([
    ['succeeded', 11_000],
    ['refunded', 11_000],
  ])
  expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
})

testEach(
  '[PAY-01] $name: once its day is closed a part is given back, then the rest; look-ups in between take nothing back',
  async (driver) => {
    const { id, closeDay, refund, run, attemptOf, bookedFor } = await payCard(driver)
    await closeDay(id)
    expect((await refund(id, { amount: '12.50' })).json()).toMatchObject({ refunded: '12.50' })
    expect((await run('payments look-up', [(await attemptOf(id)).id])).json()).toMatchObject({ attempt: { refunded: '12.50' } })
    expect((await refund(id)).json()).toMatchObject({ refunded: '97.50', attempt: { status: 'refunded' } })
    expect((await bookedFor(id)).toSorted()).toEqual([
      ['refunded', 1_250],
      ['refunded', 9_750],
      ['succeeded', 11_000],
    ])
  },
)

testEach(
  '[PAY-01] $name: what was given back without an answer is given back once, however often the command is repeated',
  async (driver) => {
    for (const operation of driver.api.lostOperations) {
      const { id, closeDay, fault, refund, bookedFor } = await payCard(driver)
      if (operation === 'refund') await closeDay(id)
      const options: Record<string, string> = operation === 'refund' ? { amount: '40.00' } : {}
      await fault(operation, 'drop')
      if (driver.api.lostRefund !== undefined) expect((await refund(id, options)).err.join()).toContain(driver.api.lostRefund)
      const again = await refund(id, options)
      expect(again.json(), again.err.join()).toMatchObject({ refunded: operation === 'refund' ? '40.00' : '110.00' })
      expect((await bookedFor(id)).map(([status]) => status)).toEqual(['succeeded', 'refunded'])
    }
  },
  ({ api }) => (api.lostOperations.length === 0 ? 'a person has to look there' : undefined),
)

testEach(
  '[PAY-01] $name: what its bank declines to give back stays paid',
  async (driver) => {
    const { id, closeDay, fault, refund, bookedFor } = await payCard(driver)
    await closeDay(id)
    await fault('refund', 'decline', false)
    expect((await refund(id, { amount: '40.00' })).err.join()).toContain(`${driver.name} refused the refund`)
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
  },
  ({ api }) => (api.acceptsEveryRefund === true ? 'no bank of its stand-in declines a refund' : undefined),
)
