import { Command as Program } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { addPayingCustomer } from '../../test/payments/payments-fixture.ts'
import { usePaymentsFixture } from '../../test/payments/use-payments.ts'
import { runCommand } from '../../test/support/operator.ts'
import { addInvoice, insertRow, queryAsAdministrator } from '../../test/support/people.ts'
import { registerCommands } from './program/register.ts'

const fixture = await usePaymentsFixture()
const { context } = fixture
const payer = await addPayingCustomer(fixture)
const { resellerId, customerId } = payer
const reseller = String(resellerId)

/** What the commands show, by the word that stands for it below. */
const named: Record<string, string> = { RESELLER: reseller, CUSTOMER: 'C-1001', COMPANY: 'orbit' }

/** A payment that is paid, and one that needs an operator. */
const addPayments = async (): Promise<void> => {
  const invoice = await payer.invoice({ external_id: 'I-1', number: '2026-001', corrects: '2025-999' })
  const line = { customer_id: customerId, invoice_id: invoice, service_name: '4G Data', description: 'Fleet plan' }
  for (const line_no of [1, 2]) await insertRow(context, resellerId, 'invoice_line', { ...line, line_no, amount_minor: 5_000 })
  await insertRow(context, resellerId, 'invoice_tax', {
    customer_id: customerId,
    invoice_id: invoice,
    tax_no: 1,
    name: 'GST',
    rate_percent: '10',
    base_minor: 10_000,
    amount_minor: 1_000,
  })
  for (const id of [invoice, await payer.invoice()]) {
    const paid = await payer.pay(await payer.intent(id), { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
    expect(paid.statusCode, paid.body).toBe(200)
  }
  const [lost] = await queryAsAdministrator<{ id: string }>(
    context,
    `update payment_attempt set status = 'manual', resolved_at = null, resolved_by = null
     where id = (select attempt_id from payment_attempt_item where invoice_id = $1) returning id`,
    [invoice],
  )
  await insertRow(context, resellerId, 'payment_discrepancy', {
    reseller_id: resellerId,
    account_id: (await queryAsAdministrator<{ id: number }>(context, 'select id from payment_account'))[0]?.id ?? 0,
    provider: 'stripe',
    provider_ref: 'pi_77',
    kind: 'amount',
    attempt_id: lost?.id ?? null,
    merchant_reference: 'r-77',
    about_customer_id: customerId,
    currency: 'AUD',
    ours_minor: 11_000,
    theirs_minor: 10_900,
    found_at: context.clock(),
  })
  Object.assign(named, { INVOICE: 'I-1', PAYMENT: lost?.id ?? '' })
}

const addOrganization = async (): Promise<void> => {
  const [brand] = await queryAsAdministrator<{ id: number }>(context, 'select id from brand where reseller_id = $1', [resellerId])
  const organization_id = await insertRow(context, resellerId, 'sso_organization', {
    reseller_id: resellerId,
    brand_id: brand?.id ?? 0,
    name: 'orbit',
    kind: 'saml',
    issuer: 'https://login.orbit.example/1',
    sign_on_url: 'https://login.orbit.example/2',
    certificates: ['-'],
    client_id: null,
    client_secret: null,
    email_attribute: 'mail2',
    blocked_at: null,
    changed_at: context.clock(),
  })
  await insertRow(context, resellerId, 'sso_domain', {
    reseller_id: resellerId,
    organization_id,
    brand_id: brand?.id ?? 0,
    domain: 'o1.example',
  })
}

beforeAll(async () => {
  await queryAsAdministrator(context, 'update customer set external_id = $2 where id = $1', [customerId, 'C-1001'])
  await addPayments()
  await addInvoice(context, resellerId, customerId, { number: '2026-003' })
  await addOrganization()
  await insertRow(context, resellerId, 'import', {
    reseller_id: resellerId,
    kind: 'usage',
    imported_at: context.clock(),
    undone_at: null,
    file: 'usage7.csv',
    imported_by: 'ada1',
    file_rows: 12,
    first_record_id: null,
    last_record_id: null,
    usage_from: null,
    usage_to: null,
  })
  const [user] = await queryAsAdministrator<{ name: string }>(context, 'select username as name from app_user')
  named['USER'] = user?.name ?? ''
  named['BRAND'] =
    (await queryAsAdministrator<{ id: string }>(context, 'select id::text from brand where reseller_id is not null'))[0]?.id ?? ''
  await runCommand(context, 'reseller', 'set', reseller, '--email', 'a1@example.com')
  await runCommand(context, 'reseller', 'payments', 'set', reseller, '--fee', 'card:AUD:1.5:0.30')
})

/** The commands that list or show, and what tells the entries of each list in their JSON apart. */
const COMMANDS: readonly (readonly [command: string, keys: Readonly<Record<string, readonly string[]>>])[] = [
  ['audit list', { entries: ['resellerId', 'seq'] }],
  ['brand list', { brands: ['id'] }],
  ['brand show BRAND', {}],
  ['customer list', { customers: ['id'] }],
  ['customer show CUSTOMER', {}],
  ['import list', { imports: ['id'] }],
  ['invoice list', { invoices: ['id'] }],
  ['invoice show INVOICE', { lines: ['lineNo'], taxes: ['taxNo'], payments: ['id'] }],
  ['payments list', { payments: ['id'] }],
  ['payments queue', { attempts: ['id'], drifts: ['accountId', 'reference', 'kind'] }],
  ['payments show PAYMENT', { items: ['itemNo'], history: ['entryNo'], book: ['entryNo'] }],
  ['reseller list', { resellers: ['id'] }],
  ['reseller payments set RESELLER', { fees: ['line', 'currency'], formerAccounts: ['id'] }],
  ['reseller show RESELLER', {}],
  ['sso list --reseller RESELLER', { companies: ['id'] }],
  ['sso show --reseller RESELLER --company COMPANY', {}],
  ['user list', { users: ['id'] }],
  ['user show USER', {}],
]

const run = (command: string, ...more: string[]) => runCommand(context, ...command.split(' ').map((word) => named[word] ?? word), ...more)
const runJson = async (command: string): Promise<Record<string, unknown>> => {
  const { exit, out, err } = await run(command, '--json')
  expect([exit, err]).toEqual([0, ''])
  return JSON.parse(out) as Record<string, unknown>
}

/** The names and values of an object, and those within. */
const valuesOf = (json: unknown): string[] =>
  typeof json === 'object' && json !== null ? Object.entries(json).flatMap(([name, value]) => [name, ...valuesOf(value)]) : [String(json)]

/** What a person reads in an output that a program needs as well: ids, numbers, days, addresses, names with a digit. */
const factsOf = (text: string): string[] => text.split(/[\s,()#]+|:\s/).filter((word) => /[\d@]|:\/\//.test(word) && !word.startsWith('--'))

test.each(COMMANDS)('[OPS-03] %s: its --json has what the text shows, and tells the entries of its lists apart', async (command, keys) => {
  const json = await runJson(command)
  const values = valuesOf(json)
  const shown = factsOf((await run(command)).out)
  expect(shown.length, 'the data above has a row of it').toBeGreaterThan(0)
  expect(shown.filter((fact) => !values.some((value) => value.includes(fact)))).toEqual([])

  const lists = Object.entries(json).filter(([, list]) => Array.isArray(list) && typeof list[0] === 'object') as [string, object[]][]
  for (const [list, entries] of lists) {
    const seen = entries.map((entry) => JSON.stringify((keys[list] ?? []).map((key) => (entry as Record<string, unknown>)[key])))
    expect([list, seen.filter((one, at) => one === '[]' || one.includes('null') || seen.indexOf(one) !== at)]).toEqual([list, []])
  }
  const empty = Object.keys(keys).filter((list) => !lists.some(([name]) => name === list))
  expect(empty.filter((list) => !['formerAccounts', 'book'].includes(list))).toEqual([])
})

test.each([
  ['resellers', 'reseller list', 'reseller show RESELLER', ''],
  ['brands', 'brand list --reseller RESELLER', 'brand show BRAND', ''],
  ['customers', 'customer list', 'customer show CUSTOMER', ''],
  ['users', 'user list', 'user show USER', ''],
  ['invoices', 'invoice list --external-id INVOICE', 'invoice show INVOICE', 'invoice'],
  ['payments', 'payments list --status manual', 'payments show PAYMENT', 'attempt'],
  ['companies', 'sso list --reseller RESELLER', 'sso show --reseller RESELLER --company COMPANY', ''],
])('[OPS-03] of %s --json shows at least what it lists, under the same names', async (list, listing, showing, within) => {
  const { [list]: entries } = await runJson(listing)
  const shown = await runJson(showing)
  expect(within === '' ? shown : shown[within]).toMatchObject((entries as object[])[0] ?? {})
})

test('[OPS-03] every command that lists or shows is among these', async () => {
  const program = new Program('counterfoil')
  await registerCommands(program, async () => 0, {
    createIo: () => {
      throw new Error('nothing is run')
    },
    setExitCode: () => undefined,
  })
  const named = program.commands.flatMap((group) => group.commands.map((command) => `${group.name()} ${command.name()}`))
  const missing = named.filter((name) => / (?:list|show|queue)$/.test(name) && !COMMANDS.some(([command]) => command.startsWith(name)))
  expect(missing, 'add it to COMMANDS here').toEqual([])
})
