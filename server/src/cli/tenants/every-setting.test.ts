import { afterAll, expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { addTenant, insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { testContext } from '../../../test/support/test-app.ts'
import { FLAGS } from './brand-flags.rules.ts'

const context = await testContext()
afterAll(() => context.close())
const { resellerId, brandId, customerId, person } = await addTenant(context)

type Options = Readonly<Record<string, string | boolean | readonly string[]>>

const run = async (command: string, argument: number | string, options: Options = {}): Promise<string> => {
  const { code, err, out } = await runPaymentsCommand(context, command, [String(argument)], { json: true, ...options })
  expect([command, code, err]).toEqual([command, 0, []])
  return out.join('\n')
}

const readRow = async (table: string, id: number | string): Promise<Record<string, unknown>> => {
  const [row] = await queryAsAdministrator<Record<string, unknown>>(context, `select * from ${table} where id = $1`, [id])
  return row ?? {}
}

/** Columns that are no settings: what is fixed when the row is made, follows from something else, or is the customer's own choice. */
const NOT_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  // Raw cards can be switched on only for a provider that takes them (raw-cards.test.ts).
  reseller: ['id', 'payment_provider', 'payment_raw_card'],
  brand: ['id', 'reseller_id'],
  customer: ['id', 'reseller_id', 'brand_id', 'currency', 'currency_symbol', 'allow_reseller_charge'],
  app_user: ['id', 'reseller_id', 'brand_id', 'username', 'password_hash', 'password_changed_at'],
}

/** Expects that the commands have changed every column of a row, and that what shows it says the new values. */
const expectAllSet = async (table: string, id: number | string, set: () => Promise<void>, show: () => Promise<string>): Promise<void> => {
  const before = await readRow(table, id)
  await set()
  const after = await readRow(table, id)
  const columns = Object.keys(after).filter((column) => NOT_SETTINGS[table]?.includes(column) !== true)
  expect(
    columns.filter((column) => JSON.stringify(after[column]) === JSON.stringify(before[column])),
    'never set',
  ).toEqual([])
  const shown = await show()
  const texts = columns.flatMap((column) => (typeof after[column] === 'string' ? [[column, String(after[column])]] : []))
  expect(
    texts.filter(([, value]) => !shown.includes(JSON.stringify(value).slice(1, -1))),
    'not shown',
  ).toEqual([])
}

test('[OPS-03] [PM-05] every setting of a reseller has a command that sets it, and is shown', async () => {
  const set = async (): Promise<void> => {
    await run('reseller set', resellerId, {
      name: 'Renamed',
      companyName: 'Renamed Ltd',
      companyNumber: 'AB 12',
      addressLine: ['1 Quay Street', 'Sydney'],
      email: 'desk@renamed.example',
      phone: '+61 2 5550 0000',
      currency: 'NZD',
      currencySymbol: 'NZ$',
      invoiceLabel: 'Bill',
      invoicesLabel: 'Bills',
      invoiceTerms: 'Fourteen days.',
    })
    await run('reseller payments set', resellerId, {
      type: 'stripe',
      payments: 'on',
      bulk: 'on',
      debit: '2',
      publishableKey: 'pk_test_renamed',
      askPermission: 'off',
      permissionText: 'May we charge you?',
      hidePaymentTypes: 'on',
      disclaimer: 'Cards are charged 1.5 % more.',
      receipts: 'on',
      billingAddress: 'on',
      cardHolder: 'off',
    })
  }
  await expectAllSet('reseller', resellerId, set, async () =>
    [await run('reseller show', resellerId), await run('reseller payments set', resellerId)].join('\n'),
  )
  expect(JSON.parse(await run('reseller payments set', resellerId))).toMatchObject({
    isEnabled: true,
    isBulk: true,
    debitId: 2,
    askPermission: false,
    hidePaymentTypes: true,
    receipts: true,
    billingAddress: true,
    cardHolder: false,
  })
})

test('[OPS-03] [BRAND-01] every setting of a brand has a command that sets it, and is shown', async () => {
  const service = await insertRow(context, resellerId, 'service', { reseller_id: resellerId, name: 'Mobile' })
  const { on, off } = Object.groupBy(Object.entries(FLAGS), ([, column]) => (before[column] === true ? 'off' : 'on'))
  const set = async (): Promise<void> => {
    const colours = ['#fefefe', '#1e5ed5', '#1c2632', '#d8dfe7', '#f3f6f9', '#e7effc', '#4b8cf4']
    await run('brand set', brandId, {
      name: 'Shining',
      domain: 'billing.shining.example',
      ...Object.fromEntries(colours.map((colour, at) => [`colour${at + 1}`, colour])),
      itemLabel: 'Meter',
      currencySymbol: 'S$',
      helpEmail: 'help@shining.example',
      helpPhone: '+61 2 5550 0000',
      helpHours: 'Weekdays 9 to 5',
      termsUrl: 'https://www.shining.example/terms',
      privacyUrl: 'https://www.shining.example/privacy',
      service: String(service),
    })
    await run('brand flags', brandId, { on: (on ?? []).map(([word]) => word), off: (off ?? []).map(([word]) => word) })
  }
  await expectAllSet('brand', brandId, set, () => run('brand show', brandId))
})
const before = await readRow('brand', brandId)

test('[EASE-14] an empty value takes help, a receipt address and a locale back', async () => {
  await run('brand set', brandId, { helpEmail: '', helpPhone: ' ', helpHours: '', termsUrl: '', privacyUrl: '' })
  const nothing = { helpEmail: null, helpPhone: null, helpHours: null, termsUrl: null, privacyUrl: null }
  expect(JSON.parse(await run('brand show', brandId))).toMatchObject(nothing)
  await run('user set', person.username, { numberLocale: '', receiptEmail: '' })
  expect(JSON.parse(await run('user show', person.username))).toMatchObject({ numberLocale: null, receiptEmail: null })
})

const WRONG_HELP: [string, string, RegExp][] = [
  ['helpEmail', 'help', /--help-email: .* is not an email address/],
  ['helpPhone', 'call us', /--help-phone: .* is not a telephone number/],
  ['helpPhone', `+${'1'.repeat(40)}`, /--help-phone/],
  ['helpHours', 'x'.repeat(201), /--help-hours: .* longer than 200/],
  ['termsUrl', 'http://shining.example/terms', /--terms-url: .* is not an address of a page/],
  ['termsUrl', 'javascript:alert(1)', /--terms-url/],
  ['privacyUrl', 'https://user:secret@shining.example/', /--privacy-url/],
  ['privacyUrl', `https://shining.example/${'x'.repeat(500)}`, /--privacy-url/],
]

test.each(WRONG_HELP)('[EASE-14] %s is not set to %s', async (option, value, message) => {
  const { code, err } = await runPaymentsCommand(context, 'brand set', [String(brandId)], { json: true, [option]: value })
  expect([code, err.join('\n')]).toEqual([1, expect.stringMatching(message) as string])
})

test('[OPS-03] an empty label brings back the default', async () => {
  await run('brand set', brandId, { itemLabel: '' })
  expect(JSON.parse(await run('brand show', brandId))).toMatchObject({ itemLabel: 'Service Item' })
  await run('reseller set', resellerId, { invoiceLabel: ' ', invoicesLabel: '' })
  expect(JSON.parse(await run('reseller show', resellerId))).toMatchObject({ invoiceLabel: 'Invoice', invoicesLabel: 'Invoices' })
})

test('[OPS-03] every setting of a customer has a command that sets it, and is shown', async () => {
  const set = async (): Promise<void> => {
    await run('customer set', customerId, { name: 'Renamed Pty', externalId: 'C-77', addressLine: ['2 Quay Street'] })
  }
  await expectAllSet('customer', customerId, set, () => run('customer show', customerId))
})

test('[OPS-03] every setting of a user has a command that sets it, and is shown', async () => {
  const set = async (): Promise<void> => {
    await run('user set', person.username, {
      name: 'Ada Renamed',
      email: 'ada@renamed.example',
      externalId: 'U-77',
      numberLocale: 'de-CH',
      receiptEmail: 'bills@renamed.example',
    })
    await run('user disable', person.username, { yes: true })
  }
  await expectAllSet('app_user', person.id, set, () => run('user show', person.username))
})
