import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type Insertable } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { AppContext } from '../../src/context.ts'
import { addMs } from '../../src/kit/clock.ts'
import type { Tables } from '../../src/db/tables/tables.ts'
import { setPayTokens } from '../../src/payments/payment-link.queries.ts'
import { payToken } from '../../src/payments/pay-token.ts'
import { insertSession } from '../../src/session/session.queries.ts'
import { refreshToken, secretHash } from '../../src/session/tokens.ts'

/** The password of every test user. */
export const PASSWORD = 'Lighthouse-4711-harbour'

/** A user who can sign in. */
export interface TestPerson {
  readonly id: string
  readonly username: string
}

/** Some columns of a table's row. */
type RowValues<T extends keyof Tables> = Partial<Insertable<Tables[T]>>

let lastNumber = 0
/** A number that is unique in this test file. */
const nextNumber = (): number => (lastNumber += 1)

/** Inserts a reseller; returns its id. */
export const addReseller = async (context: AppContext, values: RowValues<'reseller'> = {}): Promise<number> => {
  const row = { name: `Reseller ${nextNumber()}`, legal_name: 'Reseller Ltd', currency: 'AUD', currency_symbol: '$', ...values }
  const added = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db.insertInto('reseller').values(row).returning('id').executeTakeFirstOrThrow(),
  )
  return added.id
}

/** Updates a reseller, as its operator. */
export const changeReseller = async (context: AppContext, resellerId: number, changes: RowValues<'reseller'>): Promise<void> => {
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) => db.updateTable('reseller').set(changes).execute())
}

/** The account that a reseller uses at a payment provider; without one, one is added that nobody can call. @returns its id */
export const addAccount = async (context: AppContext, resellerId: number, provider: string): Promise<number> => {
  const [inUse] = await queryAsAdministrator<{ id: number }>(
    context,
    'select id::int from payment_account where reseller_id = $1 and provider = $2 and replaced_at is null',
    [resellerId, provider],
  )
  if (inUse !== undefined) return inUse.id
  const row = { reseller_id: resellerId, provider, base_url: 'http://127.0.0.1:1', sealed: Buffer.from('sealed') }
  return insertRow(context, resellerId, 'payment_account', { ...row, changed_at: context.clock() })
}

/** Inserts a row of a reseller's table, as its operator; returns its id. */
export const insertRow = async <T extends Exclude<keyof Tables, 'reseller' | 'usage_record'>>(
  context: AppContext,
  resellerId: number,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<number> => {
  const added: object | undefined = await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    db
      .insertInto(table)
      .values(row as never)
      .returningAll()
      .executeTakeFirst(),
  )
  return added !== undefined && 'id' in added ? Number(added.id) : 0
}

/** Inserts many rows of one table; returns their ids in order. */
export const insertRows = async <T extends 'service_item' | 'customer'>(
  context: AppContext,
  resellerId: number,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<number[]> => {
  const added = await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    db
      .insertInto(table)
      .values(rows as never)
      .returning('id' as never)
      .execute(),
  )
  return added.map((row) => Number((row as { id: number }).id))
}

export const addBrand = (context: AppContext, resellerId: number, values: RowValues<'brand'> = {}): Promise<number> =>
  insertRow(context, resellerId, 'brand', { reseller_id: resellerId, name: `Brand ${nextNumber()}`, ...values })

/** Updates a brand, as its reseller's operator. */
export const changeBrand = async (context: AppContext, resellerId: number, brandId: number, changes: RowValues<'brand'>): Promise<void> => {
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    db.updateTable('brand').set(changes).where('id', '=', brandId).execute(),
  )
}

export const addCustomer = (
  context: AppContext,
  resellerId: number,
  brandId: number,
  values: RowValues<'customer'> = {},
): Promise<number> =>
  insertRow(context, resellerId, 'customer', {
    reseller_id: resellerId,
    brand_id: brandId,
    label: `Customer ${nextNumber()}`,
    currency: 'AUD',
    currency_symbol: '$',
    ...values,
  })

const hashes = new WeakMap<AppContext['passwords'], Promise<string>>()
/** Hashing is slow by design, so one hash of the password serves every user of a context. */
const passwordHash = (context: AppContext): Promise<string> => {
  const known = hashes.get(context.passwords) ?? context.passwords.hash(PASSWORD)
  hashes.set(context.passwords, known)
  return known
}

/** Inserts a user who may act for these customers; the first is selected. */
export const addPerson = async (
  context: AppContext,
  resellerId: number,
  brandId: number,
  customerIds: readonly number[],
  values: RowValues<'app_user'> = {},
): Promise<TestPerson> => {
  const id = randomUUID()
  const username = values.username ?? `person-${nextNumber()}`
  const row = { display_name: 'Some Body', password_hash: await passwordHash(context), ...values, id, username }
  await insertRow(context, resellerId, 'app_user', { reseller_id: resellerId, brand_id: brandId, ...row })
  for (const customerId of customerIds)
    await insertRow(context, resellerId, 'user_customer', {
      user_id: id,
      customer_id: customerId,
      selected: customerId === customerIds[0],
    })
  return { id, username }
}

export const changePerson = async (context: AppContext, resellerId: number, id: string, changes: RowValues<'app_user'>): Promise<void> => {
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    db.updateTable('app_user').set(changes).where('id', '=', id).execute(),
  )
}

/** Inserts one reseller, brand, customer and user: enough for most tests. */
export const addTenant = async (
  context: AppContext,
  values: { reseller?: RowValues<'reseller'>; brand?: RowValues<'brand'>; customer?: RowValues<'customer'> } = {},
) => {
  const resellerId = await addReseller(context, values.reseller)
  const brandId = await addBrand(context, resellerId, values.brand)
  const customerId = await addCustomer(context, resellerId, brandId, values.customer)
  const person = await addPerson(context, resellerId, brandId, [customerId])
  return { resellerId, brandId, customerId, person }
}

/**
 * Inserts an open invoice of 110.00 in the customer's currency with a payment link, issued 1 November 2026 and due on the 30th. Amounts
 * that are not given follow from those that are: more than 110.00 due makes its amount, and of a paid or credited one nothing is due.
 */
export const addInvoice = async (
  context: AppContext,
  resellerId: number,
  customerId: number,
  values: RowValues<'invoice'> = {},
): Promise<number> => {
  const amount = Number(values.amount_minor ?? Math.max(11_000, Number(values.amount_due_minor ?? 0)))
  const isSettled = values.status === INVOICE_STATUS.paid || (values.status === INVOICE_STATUS.credited && amount > 0)
  const id = await insertRow(context, resellerId, 'invoice', {
    customer_id: customerId,
    number: `INV-${nextNumber()}`,
    currency: 'AUD',
    net_minor: 10_000,
    amount_minor: amount,
    amount_due_minor: isSettled ? 0 : amount,
    issued_on: '2026-11-01',
    due_on: '2026-11-30',
    generated_at: new Date('2026-11-01T03:04:05Z'),
    ...values,
  })
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    setPayTokens(db, context.keys, [{ customer: customerId, invoice: id }]),
  )
  return id
}

/** The invoices with their payment links, oldest first, as an administrator reads them. */
export const listPaymentLinks = async (context: AppContext): Promise<{ id: number; token: string; number: string }[]> => {
  const rows = await queryAsAdministrator<{ customer: number; id: number; number: string }>(
    context,
    'select customer_id::int as customer, id::int, number from invoice where pay_token_hash is not null order by id',
  )
  return rows.map(({ customer, id, number }) => ({ id, number, token: payToken(context.keys, customer, id) }))
}

/** Opens a session without a password, where signing in is not what the test is about. */
export const openSession = async (
  context: AppContext,
  person: TestPerson,
  clientId: string,
): Promise<{ id: string; refreshToken: string }> => {
  const id = randomUUID()
  const first = refreshToken(context.keys, id, 1)
  const now = context.clock()
  const ends = { idleUntil: addMs(now, 43_200_000), absoluteUntil: addMs(now, 2_592_000_000) }
  const session = { id, userId: person.id, clientId, cookieHash: null, ...ends, tokenHash: secretHash(first) }
  await context.store.transact({ role: 'counterfoil_system' }, (db) => insertSession(db, session, now))
  return { id, refreshToken: first }
}

/** Runs statements as the database's superuser, who bypasses row-level security and triggers. */
export const queryAsAdministrator = async <Row extends object>(
  context: AppContext,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> => {
  const database = inject('testDatabase')
  if (database.kind === 'embedded') return (await context.store.pools.interactive.query<Row>(statement, values)).rows
  const { rows } = await context.store.pools.interactive.query<{ name: string }>('select current_database()::text as name')
  const url = new URL(database.adminUrl)
  url.pathname = rows[0]?.name ?? ''
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}
