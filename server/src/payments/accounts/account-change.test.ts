import { expect, test } from 'vitest'
import { addPayingCustomer, type PayingCustomer } from '../../../test/payments/payments-fixture.ts'
import { allowAutopay } from '../../../test/payments/fault-matrix/misfortunes.queries.ts'
import { findDriver } from '../../../test/payments/providers/provider-drivers.ts'
import { type CommandOutput, runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { transactAsReseller } from '../payments-deps.ts'
import { saveAccount } from './accounts.ts'

// Nothing is sent to the companies: what these commands ask is in the settings.
const fixture = await usePaymentsFixture({ ALLOW_EMBEDDED_PAYMENTS: '1' })

/** A customer with a stored method at an account with this address. */
const connect = async (name: string, baseUrl: string): Promise<PayingCustomer> => {
  const { type: payment_type, currency, settings } = findDriver(name)
  const payer = await addPayingCustomer(fixture, { payment_type, currency })
  const { resellerId } = payer
  await saveAccount(fixture.context, { resellerId, provider: name, baseUrl, settings: settings(resellerId) })
  await transactAsReseller(fixture.payments, resellerId, (db) => allowAutopay(db, payer, `token ${resellerId}`, fixture.context.clock()))
  return payer
}

const set = ({ resellerId }: PayingCustomer, options: object, credentials?: object): Promise<CommandOutput> =>
  runPaymentsCommand(
    fixture.context,
    'reseller payments set',
    [String(resellerId)],
    { json: true, ...(credentials === undefined ? {} : { credentials: '-' }), ...options },
    { '-': JSON.stringify(credentials ?? {}) },
  )

/** The accounts of a reseller with the methods that are stored there, the first one first. */
const accountsOf = ({ resellerId }: PayingCustomer) =>
  queryAsAdministrator<{ address: string; identity: string; isInUse: boolean; methods: number }>(
    fixture.context,
    `select base_url as address, identity, replaced_at is null as "isInUse",
       (select count(*)::int from payment_method m where m.account_id = a.id and removed_at is null) as methods
     from payment_account a where reseller_id = $1 and base_url not like 'http://127%' order by id`,
    [resellerId],
  )

const LEFT = '1 stored method of 1 customer belongs to it'
const LIVE = 'https://api.authorize.net'

test('[OPS-03] another production address of one company is the same account, whether anybody says so or not', async () => {
  for (const options of [{}, { accountIs: 'same' }]) {
    const payer = await connect('authorize', LIVE)
    const moved = await set(payer, { address: 'https://api2.authorize.net', ...options })
    expect([moved.code, moved.err, moved.json()]).toEqual([0, [], expect.objectContaining({ formerAccounts: [] })])
    expect(await accountsOf(payer)).toMatchObject([{ address: 'https://api2.authorize.net', isInUse: true, methods: 1 }])
  }
})

test('[OPS-03] [PM-09] any other address is another account, and asks before stored methods are left behind; who says that it is the same is believed', async () => {
  for (const [name, from, to] of [
    ['authorize', LIVE, 'https://apitest.authorize.net'],
    ['ippay', 'https://testgtwy.ippay.com', 'https://gtwy.ippay.com'],
  ] as const) {
    const payer = await connect(name, from)
    const before = await accountsOf(payer)
    const asked = await set(payer, { address: to })
    expect([asked.code, asked.err.join(' ')]).toEqual([3, expect.stringContaining(LEFT)])
    expect(asked.err.join(' ')).toMatch(/^Nothing was changed yet\. .* --account-is same\.$/)
    expect(await accountsOf(payer)).toEqual(before)
    expect((await set(payer, { address: to, accountIs: 'same' })).err).toEqual([])
    expect(await accountsOf(payer)).toMatchObject([{ address: to, isInUse: true, methods: 1 }])
    const left = await set(payer, { address: from, yes: true })
    expect(left.json()).toMatchObject({ left: { storedMethods: 1, customers: 1 } })
    expect(await accountsOf(payer)).toMatchObject([
      { isInUse: false, methods: 1 },
      { isInUse: true, methods: 0 },
    ])
  }
})

test.each([
  ['authorize', 'loginId', LIVE],
  ['nexio', 'username', 'https://api.nexiopay.com'],
  ['pinch', 'applicationId', 'https://api.getpinch.com.au'],
])('[OPS-03] [PM-09] %s: a new %s is another account, unless the operator says that it is the same', async (name, field, address) => {
  const payer = await connect(name, address)
  const renamed = { [field]: 'a-name-of-today' }
  const before = await accountsOf(payer)
  expect(before).toMatchObject([{ methods: 1 }])
  const all = { ...findDriver(name).settings(payer.resellerId), ...renamed }
  const asked = await set(payer, {}, all)
  expect([asked.code, asked.err.join(' ')]).toEqual([3, expect.stringContaining(LEFT)])
  expect(await accountsOf(payer)).toEqual(before)
  const same = await set(payer, { accountIs: 'same' }, renamed)
  expect([same.code, same.err]).toEqual([0, []])
  expect(await accountsOf(payer)).toMatchObject([{ identity: expect.stringContaining('a-name-of-today'), isInUse: true, methods: 1 }])
  // It is known by that name from now on, whatever anybody says.
  expect((await set(payer, {}, renamed)).code).toBe(0)
  expect((await set(payer, { accountIs: 'another' }, renamed)).err.join()).toContain(
    'an account that is known here, as their settings name it',
  )
  expect(await accountsOf(payer)).toHaveLength(1)
})
