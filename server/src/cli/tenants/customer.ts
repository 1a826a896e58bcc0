import { currencySymbol } from '../../imports/focus/import-tenants.ts'
import { actAsReseller } from '../../db/act-as.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, type CommandIo, OF_RESELLER, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { ADDRESS_LINE, CLEARS, field, parseFields } from './field-set.ts'
import { currency, optional, text, parseId } from './fields.rules.ts'
import { findResellerId, requireBrand, requireCustomer } from './require-tenant.ts'
import { printList, printRecord } from './print.ts'
import { readCustomer, insertCustomer, readReseller, listCustomers, updateCustomer } from './tenants.queries.ts'

const NAME = { name: field('label', 'text', 'the customer as it is shown and stands on invoices', text(200)) }
const FIELDS = {
  externalId: field('external_id', 'id', "the billing engine's own id: what imports know the customer by", optional(text(200))),
  addressLine: ADDRESS_LINE,
}
const NEW_FIELDS = {
  currency: field('currency', 'code', 'what it is billed in, where that is not the reseller’s currency', currency),
  ...FIELDS,
}
const EDITABLE_FIELDS = { ...NAME, ...FIELDS }

export const customerAddCommand = command({
  name: 'customer add',
  about: 'make a customer',
  arguments: { name: 'text' },
  options: { ...NEW_FIELDS, brand: requiredOption(textOption('id or name', 'the brand that it sees')), reseller: OF_RESELLER },
  run: async (deps, io, { name: rawName }, options) => {
    const { label } = parseFields(NAME, { name: rawName })
    const columns = parseFields(NEW_FIELDS, options)
    const customer = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id: brandId, resellerId } = await requireBrand(db, options.brand, await findResellerId(db, options.reseller))
      const reseller = await readReseller(db, resellerId)
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
      const after = await readCustomer(db, id)
      await auditOperator(db, deps, 'customer.added', { resellerId, customerId: id, subject: `customer ${id}`, after })
      return after
    })
    return printCustomer(io, customer, `Customer ${customer.label} has the id ${customer.id}.`)
  },
})

const DEFAULT_LIMIT = 1_000

export const customerListCommand = command({
  name: 'customer list',
  about: 'list customers',
  options: {
    brand: textOption('id or name', 'of this brand alone'),
    limit: textOption('number', `how many at most (${DEFAULT_LIMIT})`),
    reseller: OF_RESELLER,
  },
  run: async (deps, io, _, options) => {
    const limit = parseId('limit', options.limit ?? String(DEFAULT_LIMIT))
    const customers = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const resellerId = await findResellerId(db, options.reseller)
      const { brand } = options
      const filter = {
        ...(resellerId === undefined ? {} : { resellerId }),
        ...(brand === undefined ? {} : { brandId: (await requireBrand(db, brand, resellerId)).id }),
      }
      return listCustomers(db, filter, limit)
    })
    return printList(io, 'customers', customers)
  },
})

export const customerShowCommand = command({
  name: 'customer show',
  about: 'show a customer, by its external id or its id',
  arguments: { customer: 'text' },
  options: { reseller: OF_RESELLER },
  run: async (deps, io, { customer: customerRef }, options) =>
    printCustomer(
      io,
      await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
        readCustomer(db, (await requireCustomer(db, customerRef, await findResellerId(db, options.reseller))).id),
      ),
    ),
})

export const customerSetCommand = command({
  name: 'customer set',
  about: 'change a customer, by its external id or its id',
  arguments: { customer: 'text' },
  options: { ...EDITABLE_FIELDS, brand: textOption('id or name', 'the brand that it sees from now on'), reseller: OF_RESELLER },
  note: CLEARS,
  run: async (deps, io, { customer: customerRef }, options) => {
    const changes = parseFields(EDITABLE_FIELDS, options)
    const { brand } = options
    if (Object.keys(changes).length === 0 && brand === undefined)
      throw new OperatorError('Say what to change: counterfoil customer set --help lists it.')
    const row = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id, resellerId } = await requireCustomer(db, customerRef, await findResellerId(db, options.reseller))
      const newBrand = brand === undefined ? {} : { brand_id: (await requireBrand(db, brand, resellerId)).id }
      const before = await readCustomer(db, id)
      await actAsReseller(db, resellerId)
      try {
        await updateCustomer(db, id, { ...changes, ...newBrand })
      } catch (error) {
        if ((error as { code?: string }).code !== '23505') throw error
        throw new OperatorError('--external-id: another customer of this reseller has it.', { cause: error })
      }
      const after = await readCustomer(db, id)
      const detail = Object.keys({ ...changes, ...newBrand }).join(' ')
      await auditOperator(db, deps, 'customer.changed', { resellerId, customerId: id, subject: `customer ${id}`, detail, before, after })
      return after
    })
    return printCustomer(io, row, `Customer ${row.label} (${row.id}) is changed.`)
  },
})

/** Prints a customer by its columns; --json also has the names of `customer list`. */
const printCustomer = (io: CommandIo, row: Awaited<ReturnType<typeof readCustomer>>, text?: string): number => {
  const { label: name, external_id: externalId, reseller_id: reseller, brand_id: brand } = row
  return printRecord(io, io.json ? { ...row, name, externalId, reseller, brand } : row, text)
}
