import { currencySymbol } from '../../imports/focus/import-house.ts'
import { actAsReseller } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type Command, type Options, textOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { columnsOf, type Field, field } from './field-set.ts'
import { currency, optional, text, wholeId } from './fields.rules.ts'
import * as find from './find.ts'
import { tellList, tellRecord } from './print.ts'
import { customerRow, insertCustomer, resellerRow, someCustomers, updateCustomer } from './tenants.queries.ts'

const NAME = field('name', 'label', 'text', 'the customer as it is shown and stands on invoices', text(200))
const CURRENCY = field('currency', 'currency', 'code', 'what it is billed in, where that is not the reseller’s currency', currency)

const CHANGES: readonly Field[] = [
  field('external-id', 'external_id', 'id', "the billing engine's own id: what imports know the customer by", optional(text(200))),
  field('address-line', 'address_lines', 'text', 'a line of its address', 'lines'),
]
export const CUSTOMER_FIELDS: readonly Field[] = [CURRENCY, ...CHANGES]
export const CUSTOMER_CHANGES: readonly Field[] = [NAME, ...CHANGES]

/** `counterfoil customer add NAME --brand B …` */
export const customerAddCommand: Command = async (deps, io, [typed = ''], options) => {
  const { label } = columnsOf([NAME], { name: typed })
  const given = columnsOf(CUSTOMER_FIELDS, options)
  const made = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id: brandId, resellerId } = await find.brand(db, textOption(options, 'brand') ?? '', await ownerId(db, options))
    const reseller = await resellerRow(db, resellerId)
    const code = String(given['currency'] ?? reseller.currency)
    const symbol = code === reseller.currency ? reseller.currency_symbol : currencySymbol(code)
    await actAsReseller(db, resellerId)
    const row = { ...given, label: String(label), reseller_id: resellerId, brand_id: brandId, currency: code, currency_symbol: symbol }
    const id = await insertCustomer(db, row)
    if (id === undefined) throw new OperatorError('--external-id: another customer of this reseller has it.')
    const after = await customerRow(db, id)
    await noteOperator(db, deps, 'customer.added', { resellerId, customerId: id, subject: `customer ${id}`, after })
    return after
  })
  return tellRecord(io, made, `Customer ${made.label} has the id ${made.id}.`)
}

const MOST_LISTED = 1_000

/** `counterfoil customer list [--reseller R] [--brand B] [--limit N]` */
export const customerListCommand: Command = async (deps, io, _args, options) => {
  const limit = wholeId('limit', textOption(options, 'limit') ?? String(MOST_LISTED))
  const customers = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const resellerId = await ownerId(db, options)
    const brand = textOption(options, 'brand')
    const of = {
      ...(resellerId === undefined ? {} : { resellerId }),
      ...(brand === undefined ? {} : { brandId: (await find.brand(db, brand, resellerId)).id }),
    }
    return someCustomers(db, of, limit)
  })
  return tellList(io, 'customers', customers)
}

/** `counterfoil customer show C`: by its external id or its id. */
export const customerShowCommand: Command = async (deps, io, [wanted = ''], options) =>
  tellRecord(
    io,
    await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
      customerRow(db, (await find.customer(db, wanted, await ownerId(db, options))).id),
    ),
  )

/** `counterfoil customer set C …`: changes what is named, and nothing else. */
export const customerSetCommand: Command = async (deps, io, [wanted = ''], options) => {
  const to = columnsOf(CUSTOMER_CHANGES, options)
  const brand = textOption(options, 'brand')
  if (Object.keys(to).length === 0 && brand === undefined)
    throw new OperatorError('Say what to change: counterfoil customer set --help lists it.')
  const row = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, resellerId } = await find.customer(db, wanted, await ownerId(db, options))
    const moved = brand === undefined ? {} : { brand_id: (await find.brand(db, brand, resellerId)).id }
    const before = await customerRow(db, id)
    await actAsReseller(db, resellerId)
    try {
      await updateCustomer(db, id, { ...to, ...moved })
    } catch (error) {
      if ((error as { code?: string }).code !== '23505') throw error
      throw new OperatorError('--external-id: another customer of this reseller has it.', { cause: error })
    }
    const after = await customerRow(db, id)
    const detail = Object.keys({ ...to, ...moved }).join(' ')
    await noteOperator(db, deps, 'customer.changed', { resellerId, customerId: id, subject: `customer ${id}`, detail, before, after })
    return after
  })
  return tellRecord(io, row, `Customer ${row.label} (${row.id}) is changed.`)
}

const ownerId = async (db: Db, options: Options): Promise<number | undefined> => {
  const owner = textOption(options, 'reseller')
  return owner === undefined ? undefined : (await find.reseller(db, owner)).id
}
