import { currencySymbol } from '../../imports/focus/import-tenants.ts'
import { actAsOwner, actAsReseller, actAsSystem } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import type { ResellerTable } from '../../db/tables/tenants.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Insertable } from 'kysely'
import { command, CONFIRMATION_NEEDED, flag, type Options, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { ADDRESS_LINE, CLEARS, field, parseFields } from './field-set.ts'
import { currency, email, optional, orDefault, text, parseId } from './fields.rules.ts'
import { requireReseller } from './require-tenant.ts'
import { type Printable, printList, printRecord } from './print.ts'
import {
  countInvoicesInOtherCurrency,
  listResellers,
  advanceResellerSequence,
  insertReseller,
  readReseller,
  isResellerNameTaken,
  updateReseller,
} from './tenants.queries.ts'

const NAME = { name: field('name', 'text', 'what it is called here', text(200)) }

/** The fields of a reseller, without its payment settings. */
const RESELLER_FIELDS = {
  companyName: field('legal_name', 'text', 'the company as it stands on invoices', text(200)),
  companyNumber: field('registration_number', 'text', 'its registration or tax number', optional(text(60))),
  addressLine: ADDRESS_LINE,
  email: field('email', 'address', 'where answers to its mails go', optional(email)),
  phone: field('phone', 'text', 'its telephone number', optional(text(40))),
  currency: field('currency', 'code', 'the currency that its customers are billed in', currency),
  currencySymbol: field('currency_symbol', 'text', 'the sign of that currency', text(8)),
  invoiceLabel: field('invoice_label_singular', 'text', 'what an invoice is called', orDefault('Invoice', text(40))),
  invoicesLabel: field('invoice_label_plural', 'text', 'what invoices are called', orDefault('Invoices', text(40))),
  invoiceTerms: field('invoice_terms', 'text', 'the terms at the foot of an invoice', optional(text(2_000))),
}
const EDITABLE_FIELDS = { ...NAME, ...RESELLER_FIELDS }

export const resellerAddCommand = command({
  name: 'reseller add',
  about: 'make a reseller',
  arguments: { name: 'text' },
  options: {
    ...RESELLER_FIELDS,
    currency: requiredOption(RESELLER_FIELDS.currency),
    id: textOption('number', 'its id, where it must be a certain one'),
  },
  run: async (deps, io, { name: rawName }, options) => {
    const name = String(parseFields(NAME, { name: rawName })['name'])
    const resellerRef = options.id
    const row = newRow(name, resellerRef, options)
    const reseller = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      if (await isResellerNameTaken(db, name))
        throw new OperatorError(`There is a reseller named ${name} already; names tell resellers apart.`)
      const id = await insertWithFreeId(db, row)
      await auditOperator(db, deps, 'reseller.added', { resellerId: id, subject: `reseller ${id}`, after: row })
      return { id, name, currency: row.currency }
    })
    return printRecord(io, reseller, `Reseller ${reseller.name} has the id ${reseller.id}.`)
  },
})

/**
 * The row of a new reseller: its company name and currency symbol follow from name and currency unless options give them. Stores nothing.
 */
const newRow = (name: string, resellerRef: string | undefined, options: Options): Insertable<ResellerTable> => {
  const columns = parseFields(RESELLER_FIELDS, options)
  const currencyCode = String(columns['currency'])
  return {
    legal_name: name,
    currency_symbol: currencySymbol(currencyCode),
    ...columns,
    name,
    currency: currencyCode,
    ...(resellerRef === undefined ? {} : { id: parseId('id', resellerRef) }),
  }
}

const MAX_TRIES = 20

/** Inserts the reseller, skipping ids of the sequence that were assigned by hand. @throws OperatorError when the given id is taken */
const insertWithFreeId = async (db: Db, row: Insertable<ResellerTable>): Promise<number> => {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const id = await insertReseller(db, row)
    if (id !== undefined && row.id === undefined) return id
    if (id !== undefined) {
      await actAsOwner(db)
      await advanceResellerSequence(db, id)
      await actAsSystem(db)
      return id
    }
    if (row.id !== undefined) throw new OperatorError(`The id ${row.id} is taken by another reseller.`)
  }
  throw new OperatorError('The next ids are taken by hand; give one with --id.')
}

export const resellerListCommand = command({
  name: 'reseller list',
  about: 'list the resellers',
  run: async (deps, io) => printList(io, 'resellers', await deps.store.transact({ role: 'counterfoil_system' }, listResellers)),
})

export const resellerShowCommand = command({
  name: 'reseller show',
  about: 'show a reseller, by id or name',
  arguments: { reseller: 'text' },
  run: async (deps, io, { reseller: resellerRef }) =>
    printRecord(
      io,
      toResellerJson(
        await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
          readReseller(db, (await requireReseller(db, resellerRef)).id),
        ),
      ),
    ),
})

export const resellerSetCommand = command({
  name: 'reseller set',
  about: 'change a reseller, by id or name',
  arguments: { reseller: 'text' },
  options: { ...EDITABLE_FIELDS, yes: flag('change the currency though invoices are in another one') },
  note: CLEARS,
  run: async (deps, io, { reseller: resellerRef }, options) => {
    const changes = parseFields(EDITABLE_FIELDS, options)
    if (Object.keys(changes).length === 0) throw new OperatorError('Say what to change: counterfoil reseller set --help lists it.')
    const row = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id } = await requireReseller(db, resellerRef)
      const before = await readReseller(db, id)
      const isRenamed = typeof changes['name'] === 'string' && changes['name'].toLowerCase() !== before.name.toLowerCase()
      if (isRenamed && (await isResellerNameTaken(db, String(changes['name']))))
        throw new OperatorError(`There is a reseller named ${String(changes['name'])} already; names tell resellers apart.`)
      await actAsReseller(db, id)
      const newCurrency = changes['currency']
      const others =
        typeof newCurrency === 'string' && newCurrency !== before.currency && options.yes !== true
          ? await countInvoicesInOtherCurrency(db, id, newCurrency)
          : 0
      if (others > 0) {
        io.err(
          `${others} ${others === 1 ? 'invoice' : 'invoices'} of ${before.name} ${others === 1 ? 'is' : 'are'} in another currency than ${String(newCurrency)} and stay so; sums of several invoices are then shown by currency.`,
        )
        return null
      }
      await updateReseller(db, id, changes)
      const after = await readReseller(db, id)
      await auditOperator(db, deps, 'reseller.changed', {
        resellerId: id,
        subject: `reseller ${id}`,
        detail: Object.keys(changes).join(' '),
        before,
        after,
      })
      return after
    })
    if (row === null) return CONFIRMATION_NEEDED
    return printRecord(io, toResellerJson(row), `Reseller ${row.name} (${row.id}) is changed.`)
  },
})

/** The fields of a reseller as commands print them, each named here, so that a new column is not printed by accident. */
const toResellerJson = (row: Awaited<ReturnType<typeof readReseller>>): Printable => ({
  id: row.id,
  name: row.name,
  companyName: row.legal_name,
  companyNumber: row.registration_number,
  addressLines: row.address_lines,
  email: row.email,
  phone: row.phone,
  currency: row.currency,
  currencySymbol: row.currency_symbol,
  invoiceLabel: row.invoice_label_singular,
  invoicesLabel: row.invoice_label_plural,
  invoiceTerms: row.invoice_terms,
  paymentType: row.payment_type,
  paymentsEnabled: row.payments_enabled,
})
