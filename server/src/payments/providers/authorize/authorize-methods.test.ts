import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CustomerGone } from '../storing.ts'
import { authorize } from './authorize.ts'
import { STORE_OPTIONS } from '../../../../test/payments/providers/adapter-bench.ts'
import { newAccount, newCard, startTestAuthorize } from '../../../../test/payments/providers/authorize.driver.ts'

const at = await startTestAuthorize()

const createCustomer = async (key = randomUUID(), name = 'Ada'): Promise<string> =>
  (await authorize.storing.createCustomer?.(at.context(), { reference: '7', name, key })) ?? ''
const store = (customer: string, method: Parameters<typeof authorize.storing.store>[2]) =>
  authorize.storing.store(at.context(), customer, method, STORE_OPTIONS)
const card = (change: Parameters<typeof newCard>[0] = {}) => ({ ...newCard(change), type: 'card' })

describe('[PM-20] authorize: customers', () => {
  test('the same reference and key are the same customer; another key is another', async () => {
    const key = randomUUID()
    const first = await createCustomer(key)
    expect(await createCustomer(key)).toBe(first)
    expect(await createCustomer()).not.toBe(first)
  })

  test('one whose answer was lost is adopted', async () => {
    const key = randomUUID()
    await at.fault({ operation: 'customer', kind: 'drop', booked: true })
    await expect(createCustomer(key)).rejects.toThrow('no answer')
    expect(await createCustomer(key)).toMatch(/^\d+$/)
  })

  test('storing for one who is gone says so', async () => {
    await expect(store('404', card())).rejects.toThrow(CustomerGone)
  })
})

describe('[PM-20] [PM-21] authorize: stored methods', () => {
  test('cards and accounts are listed as what they are, with masked numbers, oldest first', async () => {
    const customer = await createCustomer()
    await store(customer, { ...card({ zip: '46201' }), legalName: 'Nimbus Ltd' })
    await store(customer, newAccount())
    const stored = await authorize.storing.list?.(at.context(), customer, ['card', 'eCheck'])
    expect(stored).toEqual([
      {
        kind: 'card',
        type: 'card',
        token: expect.any(String),
        status: 'ready',
        details: {
          brand: 'Visa',
          last4: '1111',
          expMonth: 12,
          expYear: 2031,
          name: 'Ada Payer',
          legalName: 'Nimbus Ltd',
          address: { line1: '1 Quay Street', city: 'Fort Wayne', state: 'IN', postalCode: '46201', country: 'US' },
        },
      },
      {
        kind: 'bank',
        type: 'eCheck',
        token: expect.any(String),
        status: 'ready',
        details: { last4: '6789', bankCode: 'XXXX2882', name: 'Ada Payer', bankName: 'First Bank', accountType: 'checking' },
      },
    ])
    expect(await authorize.storing.list?.(at.context(), customer, ['card'])).toHaveLength(1)
  })

  test('a card whose date has passed is declined as such', async () => {
    expect(await store(await createCustomer(), card({ expYear: 2020 }))).toMatchObject({ state: 'declined', reason: 'expired_card' })
  })

  test('a refusal of the account is told before there is a customer, and one that nobody has listed in our words', async () => {
    const refused = authorize.storing.createCustomer?.(at.context({ transactionKey: 'invalid' }), {
      reference: '7',
      name: 'Ada',
      key: randomUUID(),
    })
    await expect(refused).rejects.toMatchObject({ decline: { state: 'declined', reason: 'not_configured' } })
    const text = JSON.stringify({
      messages: { resultCode: 'Error', message: [{ code: 'E00095', text: 'ShippingProfileId is not valid.' }] },
    })
    const http = { send: async () => ({ status: 200, headers: {}, text }) }
    expect(await authorize.storing.store({ ...at.context(), http }, '1', card(), STORE_OPTIONS)).toMatchObject({
      state: 'declined',
      userMessage: 'The payment could not be made. Please try another payment method, or contact support.',
    })
  })

  test('an account with a mistyped routing number is declined before it is sent', async () => {
    const method = newAccount()
    if (method.typedMethod.kind !== 'bank') throw new Error('no account')
    const wrong = { ...method, typedMethod: { ...method.typedMethod, account: { ...method.typedMethod.account, bankCode: '121042881' } } }
    expect(await store(await createCustomer(), wrong)).toMatchObject({ state: 'declined', reason: 'invalid_account' })
  })

  test('one whose answer was lost is unknown, and adopted by another try', async () => {
    const customer = await createCustomer()
    await at.fault({ operation: 'store', kind: 'drop', booked: true })
    expect(await store(customer, card())).toMatchObject({ state: 'unknown' })
    expect(await store(customer, card())).toMatchObject({ state: 'succeeded', method: { details: { last4: '1111' } } })
    expect(await authorize.storing.list?.(at.context(), customer, ['card'])).toHaveLength(1)
  })

  test('the eleventh is declined in the gateway’s words', async () => {
    const customer = await createCustomer()
    for (let number = 0; number < 10; number += 1) await store(customer, newAccount(`1234567${number}`))
    expect(await store(customer, newAccount('99999999'))).toMatchObject({ state: 'declined', userMessage: expect.stringContaining('10') })
  })

  test('one that cannot be read back is shown as it was typed', async () => {
    const customer = await createCustomer()
    await at.fault({ operation: 'method', kind: 'error', times: 2 })
    expect(await store(customer, card())).toMatchObject({
      state: 'succeeded',
      method: { kind: 'card', details: { last4: '1111', expYear: 2031 } },
    })
    expect(await store(customer, newAccount())).toMatchObject({
      state: 'succeeded',
      method: { kind: 'bank', type: 'eCheck', details: { last4: '6789', bankCode: 'XXXX2882', bankName: 'First Bank' } },
    })
  })

  test('[PM-21] authorize: a change keeps everything that it does not name', async () => {
    const customer = await createCustomer()
    const stored = await store(customer, newAccount())
    if (stored.state !== 'succeeded') throw new Error('not stored')
    const known = { ...stored.method, providerCustomerId: customer }
    const changed = await authorize.storing.update?.(at.context(), known, { name: 'Ada King', accountType: 'savings' })
    expect(changed).toMatchObject({
      state: 'succeeded',
      method: { details: { name: 'Ada King', accountType: 'savings', bankName: 'First Bank', last4: '6789', bankCode: 'XXXX2882' } },
    })
    await at.fault({ operation: 'update', kind: 'drop' })
    expect(await authorize.storing.update?.(at.context(), known, { name: 'Ada' })).toMatchObject({ state: 'unknown' })
    await authorize.storing.remove(at.context(), known)
    expect(await authorize.storing.update?.(at.context(), known, { name: 'Ada' })).toMatchObject({ state: 'declined' })
  })

  test('a change of a card’s date and address keeps its number and holder', async () => {
    const method = await at.storeCard()
    const changed = await authorize.storing.update?.(at.context(), method, { expMonth: 1, expYear: 2040, address: { city: 'Boston' } })
    expect(changed).toMatchObject({
      state: 'succeeded',
      method: { details: { last4: '1111', expMonth: 1, expYear: 2040, name: 'Ada Payer', address: { city: 'Boston' } } },
    })
  })

  test('removing one while the gateway does not answer fails, so that it stays here too', async () => {
    const method = await at.storeCard()
    await at.fault({ operation: 'remove', kind: 'error' })
    await expect(authorize.storing.remove(at.context(), method)).rejects.toThrow('E00001')
  })
})

describe('[PAY-01] authorize: the account', () => {
  test('in test mode takes no payments, and wrong credentials are told', async () => {
    expect(await authorize.account.check?.(at.context({ loginId: 'testmode' }))).toMatchObject({ canCharge: false })
    await expect(authorize.account.check?.(at.context({ transactionKey: 'invalid' }))).rejects.toThrow('refuses the API login id')
  })

  test('gives the browser its login id and a public key, asked for once', async () => {
    const context = at.context()
    const start = await authorize.entry.createCardForm?.(context, 'pay')
    expect(start).toEqual({ fields: { apiLoginID: 'conformance', clientKey: expect.stringMatching(/^\w{20,}$/) }, entryReference: null })
    await at.fault({ operation: 'account', kind: 'drop' })
    expect(await authorize.entry.createCardForm?.(context, 'store')).toEqual(start)
    expect(await authorize.entry.createCardForm?.(at.context({ clientKey: 'mine' }), 'store')).toMatchObject({
      fields: { clientKey: 'mine' },
    })
    await at.sandbox.reset()
  })
})
