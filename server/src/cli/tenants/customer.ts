import { currencySymbol } from '../../imports/focus/import-tenants.ts'
import { actAsReseller } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type Command, type Options, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { parseFields, type Field, field } from './field-set.ts'
import { currency, optional, text, parseId } from './fields.rules.ts'
import { requireBrand, requireCustomer, requireReseller } from './require-tenant.ts'
import { printList, printRecord } from './print.ts'
import { customerRow, insertCustomer, resellerRow, listCustomers, updateCustomer } from './tenants.queries.ts'

const NAME = field('name', 'label', 'text', 'the customer as it is shown and stands on invoices', text(200))
const CURRENCY = field('currency', 'currency', 'code', 'what it is billed in, where that is not the reseller’s currency', currency)

const EDITABLE_FIELDS: readonly Field[] = [
  field('external-id', 'external_id', 'id', "the billing engine's own id: what imports know the customer by", optional(text(200))),
  field('address-line', 'address_lines', 'text', 'a line of its address', 'lines'),
]
export const CUSTOMER_FIELDS: readonly Field[] = [CURRENCY, ...EDITABLE_FIELDS]
export const EDITABLE_CUSTOMER_FIELDS: readonly Field[] = [NAME, ...EDITABLE_FIELDS]

/** `counterfoil customer add NAME --brand B …` */
export const customerAddCommand: Command = async (deps, io, [rawName = ''], options) => {
  const { label } = parseFields([NAME], { name: rawName })
  const columns = parseFields(CUSTOMER_FIELDS, options)
  const customer = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id: brandId, resellerId } = await requireBrand(db, textOption(options, 'brand') ?? '', await findOptionResellerId(db, options))
    const reseller = await resellerRow(db, resellerId)
    const currencyCode = String(columns['currency'] ?? reseller.currency)
    const currencySymbolText = currencyCode === reseller.currency ? reseller.currency_symbol : currencySymbol(currencyCode)
    await actAsReseller(db, resellerId)
    const row = {
      ...columns,
      label: String(label),
      reseller_id: resellerId,
      brand_id: brandId,
      currency: currencyCode,
      currency_symbol: currencySymbolText,
    }
    const id = await insertCustomer(db, row)
    if (id === undefined) throw new OperatorError('--external-id: another customer of this reseller has it.')
    const after = await customerRow(db, id)
    await auditOperator(db, deps, 'customer.added', { resellerId, customerId: id, subject: `customer ${id}`, after })
    return after
  })
  return printRecord(io, customer, `Customer ${customer.label} has the id ${customer.id}.`)
}

const DEFAULT_LIMIT = 1_000

/** `counterfoil customer list [--reseller R] [--brand B] [--limit N]` */
export const customerListCommand: Command = async (deps, io, _args, options) => {
  const limit = parseId('limit', textOption(options, 'limit') ?? String(DEFAULT_LIMIT))
  const customers = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const resellerId = await findOptionResellerId(db, options)
    const brand = textOption(options, 'brand')
    const filter = {
      ...(resellerId === undefined ? {} : { resellerId }),
      ...(brand === undefined ? {} : { brandId: (await requireBrand(db, brand, resellerId)).id }),
    }
    return listCustomers(db, filter, limit)
  })
  return printList(io, 'customers', customers)
}

/** `counterfoil customer show C`: by its external id or its id. */
export const customerShowCommand: Command = async (deps, io, [customerRef = ''], options) =>
  printRecord(
    io,
    await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
      customerRow(db, (await requireCustomer(db, customerRef, await findOptionResellerId(db, options))).id),
    ),
  )

/** `counterfoil customer set C …`: changes the given fields. */
export const customerSetCommand: Command = async (deps, io, [customerRef = ''], options) => {
  const changes = parseFields(EDITABLE_CUSTOMER_FIELDS, options)
  const brand = textOption(options, 'brand')
  if (Object.keys(changes).length === 0 && brand === undefined)
    throw new OperatorError('Say what to change: counterfoil customer set --help lists it.')
  const row = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, resellerId } = await requireCustomer(db, customerRef, await findOptionResellerId(db, options))
    const newBrand = brand === undefined ? {} : { brand_id: (await requireBrand(db, brand, resellerId)).id }
    const before = await customerRow(db, id)
    await actAsReseller(db, resellerId)
    try {
      await updateCustomer(db, id, { ...changes, ...newBrand })
    } catch (error) {
      if ((error as { code?: string }).code !== '23505') throw error
      throw new OperatorError('--external-id: another customer of this reseller has it.', { cause: error })
    }
    const after = await customerRow(db, id)
    const detail = Object.keys({ ...changes, ...newBrand }).join(' ')
    await auditOperator(db, deps, 'customer.changed', { resellerId, customerId: id, subject: `customer ${id}`, detail, before, after })
    return after
  })
  return printRecord(io, row, `Customer ${row.label} (${row.id}) is changed.`)
}

const findOptionResellerId = async (db: Db, options: Options): Promise<number | undefined> => {
  const reseller = textOption(options, 'reseller')
  return reseller === undefined ? undefined : (await requireReseller(db, reseller)).id
}
