import { expect } from 'vitest'
import { lacksDebits, testEach, useProviderPayers } from './provider-payer.ts'

const { fixture, connect } = await useProviderPayers()

testEach(
  '[PM-04] [PM-09] [API-01] $name: methods are listed as its paths show them; the first is the default until another is',
  async (driver) => {
    const { paths, listed, secondCard } = driver.api
    const { payer, store, list } = await connect(driver)
    expect(await list()).toEqual([])
    const first = await store()
    const account = driver.store.bank === undefined ? undefined : await store('bank')
    const second = await store('card', secondCard.typed, secondCard.change)
    const rows = (await list()).filter(({ id }) => id !== account)
    expect(rows).toEqual([{ id: first, isDefault: true, ...listed.card }, expect.objectContaining({ id: second, isDefault: false })])
    expect(rows[1]).toMatchObject(secondCard.listed)
    if (account !== undefined)
      expect((await list('bank')).filter(({ id }) => id === account)).toMatchObject([{ id: account, isDefault: false, ...listed.account }])
    for (const id of [second, ...(account === undefined ? [] : [account])]) {
      expect((await payer.me.put(paths.default, { id })).statusCode).toBe(204)
      const all = [...(await list()), ...(paths.accounts === undefined ? [] : await list('bank'))]
      expect(all.filter(({ isDefault }) => isDefault).map((row) => row.id)).toEqual([id])
    }
  },
)

testEach(
  '[PM-04] $name: when the default is removed the first one left becomes it; a method that is removed is not there any more',
  async (driver) => {
    const { paths, secondCard } = driver.api
    const { payer, store, list } = await connect(driver)
    const [first, second] = [await store(), await store('card', secondCard.typed)]
    expect((await payer.me.remove(`${paths.cards}/${first}`)).statusCode).toBe(204)
    expect(await list()).toMatchObject([{ id: second, isDefault: true }])
    expect((await payer.me.remove(`${paths.cards}/${first}`)).statusCode).toBe(404)
    expect((await payer.me.remove(`${paths.cards}/${second}`)).statusCode).toBe(204)
    expect(await list()).toEqual([])
  },
  ({ adapter }) =>
    adapter.provider.storing.requiresReplacementBeforeRemovingDefault === true ? 'its default stays while there are others' : undefined,
)

testEach('[PM-09] $name: the paths of other providers do not exist, and its methods are no other customer’s', async (driver) => {
  const { paths } = driver.api
  const [{ payer, store }, other] = [await connect(driver), await connect(driver)]
  const foreign = paths.cards.includes('/payments/') ? '/v1/ec/moneris/cards' : '/v1/ec/payments/cards'
  expect((await payer.me.get(foreign)).statusCode).toBe(404)
  const id = await store()
  expect(await other.list()).toEqual([])
  for (const answer of [await other.payer.me.remove(`${paths.cards}/${id}`), await other.payer.me.put(paths.default, { id })])
    expect(answer.statusCode).toBe(404)
})

testEach(
  '[PM-08] $name: a method that cannot be right is refused at its field, which says nothing of its numbers',
  async (driver) => {
    const { payer } = await connect(driver)
    for (const [kind, changes = []] of Object.entries(driver.api.wrong ?? {}))
      for (const [change, path] of changes) {
        const answer = await driver.store[kind as 'card' | 'bank']?.(payer, fixture.sandbox, {}, change)
        expect([change, answer?.statusCode, answer?.json().errors]).toEqual([change, 400, [expect.objectContaining({ path })]])
        expect(answer?.body).not.toMatch(/4111|4242|121042881/)
      }
  },
  ({ api }) => (api.wrong === undefined ? 'the provider’s own page checks what is typed' : undefined),
)

testEach(
  '[PM-06] $name: a card that is refused is not stored, and says why',
  async (driver) => {
    const { payer, list } = await connect(driver)
    for (const [typed, userMessage] of driver.api.refusedCards ?? []) {
      const answer = await driver.store.card?.(payer, fixture.sandbox, typed)
      expect([answer?.statusCode, answer?.json()]).toMatchObject([400, { code: 'method_declined', userMessage }])
    }
    expect(await list()).toEqual([])
  },
  ({ api }) => (api.refusedCards === undefined ? 'no card of its stand-in is refused when it is stored' : undefined),
)

testEach('[PM-06] $name: a card whose storing has no answer is not listed, and can be stored again', async (driver) => {
  const { payer, fault, store, list } = await connect(driver)
  // What a provider has stored all the same it lists itself, where it keeps a list.
  await fault(driver.api.storeOperation ?? 'store', 'drop', driver.adapter.provider.storing.list === undefined)
  expect((await driver.store.card?.(payer, fixture.sandbox))?.statusCode).toBe(503)
  expect(await list()).toEqual([])
  await store()
  expect(await list()).toHaveLength(1)
})

testEach(
  '[PM-09] [PAY-01] [SP-01] $name: without the switch for card numbers a token of its own fields stores and pays, and a number is refused',
  async (driver) => {
    const { fields, enter, beside, listed } = driver.api.ownFields ?? { fields: () => ({}), enter: async () => '', beside: {}, listed: {} }
    const { payer, list, invoice, linkPage, payByLink, bookedFor } = await connect(driver, { options: { rawCard: 'off' } })
    const expected = fields(`${fixture.sandbox.url}/${driver.name}`, payer.resellerId)
    const { cards } = driver.api.paths
    expect((await driver.store.card?.(payer, fixture.sandbox))?.body).toContain('Send the token of the card')
    const started = (await payer.me.post('/v1/ec/payments/card-fields', {})).json<{ fields: Record<string, string> }>()
    expect(started).toEqual({ fields: expected })
    const stored = await payer.me.post(cards, { token: await enter(fixture.sandbox, started.fields), ...beside })
    expect(stored.json(), stored.body).toMatchObject({ status: 'succeeded' })
    expect(await list()).toMatchObject([listed])
    expect((await payer.me.post(cards, { token: 'tok_1', ...beside })).statusCode).toBe(400)
    const id = await invoice()
    const page = await linkPage(id)
    expect((await payByLink(id, await driver.cardFields(page))).statusCode).toBe(400)
    const again = await page.startFields()
    expect(again).toEqual(expected)
    const paid = await payByLink(id, { cardToken: await enter(fixture.sandbox, again) })
    expect(paid.json(), paid.body).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
  },
  ({ api }) => (api.ownFields === undefined ? 'it takes no card numbers' : undefined),
)

testEach(
  '[PM-11] $name: a bank account that is removed is not there any more, and is no card',
  async (driver) => {
    const { paths } = driver.api
    const { payer, store, list } = await connect(driver)
    const id = await store('bank')
    const path = paths.accounts ?? paths.cards
    if (paths.accounts !== undefined) expect((await payer.me.remove(`${paths.cards}/${id}`)).statusCode).toBe(404)
    expect((await payer.me.remove(`${path}/${id}${driver.api.detach ?? ''}`)).statusCode).toBe(204)
    expect(await list('bank')).toEqual([])
  },
  lacksDebits,
)
