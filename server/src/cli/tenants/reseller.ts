import { currencySymbol } from '../../imports/focus/import-house.ts'
import { actAsOwner, actAsReseller, actAsSystem } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import type { ResellerTable } from '../../db/tables/tenants.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Insertable } from 'kysely'
import { type Command, type Options, textOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { columnsOf, type Field, field } from './field-set.ts'
import { currency, email, optional, text, wholeId } from './fields.rules.ts'
import * as find from './find.ts'
import { type Shown, tellList, tellRecord } from './print.ts'
import { allResellers, countResellersFrom, insertReseller, resellerRow, resellersCalled, updateReseller } from './tenants.queries.ts'

const NAME = field('name', 'name', 'text', 'what it is called here', text(200))

/** What an operator may say of a reseller, apart from its payments. */
export const RESELLER_FIELDS: readonly Field[] = [
  field('company-name', 'company_name', 'text', 'the company as it stands on invoices', text(200)),
  field('company-number', 'company_number', 'text', 'its registration or tax number', optional(text(60))),
  field('address-line', 'address_lines', 'text', 'a line of its address', 'lines'),
  field('email', 'email', 'address', 'where answers to its mails go', optional(email)),
  field('phone', 'phone', 'text', 'its telephone number', optional(text(40))),
  field('currency', 'currency', 'code', 'the currency that its customers are billed in', currency),
  field('currency-symbol', 'currency_symbol', 'text', 'the sign of that currency', text(8)),
  field('invoice-label', 'invoice_label_singular', 'text', 'what an invoice is called', text(40)),
  field('invoices-label', 'invoice_label_plural', 'text', 'what invoices are called', text(40)),
  field('invoice-terms', 'invoice_terms', 'text', 'the terms at the foot of an invoice', optional(text(2_000))),
]
export const RESELLER_CHANGES: readonly Field[] = [NAME, ...RESELLER_FIELDS]

/** `counterfoil reseller add NAME --currency C`: also says its id, by which everything else may name it. */
export const resellerAddCommand: Command = async (deps, io, [typed = ''], options) => {
  const name = String(columnsOf([NAME], { name: typed })['name'])
  const wanted = textOption(options, 'id')
  const row = newRow(name, wanted, options)
  const made = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    if (await resellersCalled(db, name)) throw new OperatorError(`There is a reseller named ${name} already; names tell resellers apart.`)
    const id = await insertedId(db, row)
    await noteOperator(db, deps, 'reseller.added', { resellerId: id, subject: `reseller ${id}`, after: row })
    return { id, name, currency: row.currency }
  })
  return tellRecord(io, made, `Reseller ${made.name} has the id ${made.id}.`)
}

const newRow = (name: string, wanted: string | undefined, options: Options): Insertable<ResellerTable> => {
  const given = columnsOf(RESELLER_FIELDS, options)
  const code = String(given['currency'])
  return {
    company_name: name,
    currency_symbol: currencySymbol(code),
    ...given,
    name,
    currency: code,
    ...(wanted === undefined ? {} : { id: wholeId('id', wanted) }),
  }
}

const TRIES = 20

/** An id that was given out by hand may stand where the count comes past: then the next one is taken. */
const insertedId = async (db: Db, row: Insertable<ResellerTable>): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const id = await insertReseller(db, row)
    if (id !== undefined && row.id === undefined) return id
    if (id !== undefined) {
      await actAsOwner(db)
      await countResellersFrom(db, id)
      await actAsSystem(db)
      return id
    }
    if (row.id !== undefined) throw new OperatorError(`The id ${row.id} is taken by another reseller.`)
  }
  throw new OperatorError('The next ids are taken by hand; give one with --id.')
}

/** `counterfoil reseller list` */
export const resellerListCommand: Command = async (deps, io) =>
  tellList(io, 'resellers', await deps.store.transact({ role: 'counterfoil_system' }, allResellers))

/** `counterfoil reseller show R`: everything but what is secret. */
export const resellerShowCommand: Command = async (deps, io, [wanted = '']) =>
  tellRecord(
    io,
    shownReseller(
      await deps.store.transact({ role: 'counterfoil_system' }, async (db) => resellerRow(db, (await find.reseller(db, wanted)).id)),
    ),
  )

/** `counterfoil reseller set R …`: changes what is named, and nothing else. */
export const resellerSetCommand: Command = async (deps, io, [wanted = ''], options) => {
  const to = columnsOf(RESELLER_CHANGES, options)
  if (Object.keys(to).length === 0) throw new OperatorError('Say what to change: counterfoil reseller set --help lists it.')
  const row = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id } = await find.reseller(db, wanted)
    const before = await resellerRow(db, id)
    const isRenamed = typeof to['name'] === 'string' && to['name'].toLowerCase() !== before.name.toLowerCase()
    if (isRenamed && (await resellersCalled(db, String(to['name']))))
      throw new OperatorError(`There is a reseller named ${String(to['name'])} already; names tell resellers apart.`)
    await actAsReseller(db, id)
    await updateReseller(db, id, to)
    const after = await resellerRow(db, id)
    await noteOperator(db, deps, 'reseller.changed', {
      resellerId: id,
      subject: `reseller ${id}`,
      detail: Object.keys(to).join(' '),
      before,
      after,
    })
    return after
  })
  return tellRecord(io, shownReseller(row), `Reseller ${row.name} (${row.id}) is changed.`)
}

/** Named one by one: what else a reseller may come to hold is not shown by itself. */
const shownReseller = (row: Awaited<ReturnType<typeof resellerRow>>): Shown => ({
  id: row.id,
  name: row.name,
  companyName: row.company_name,
  companyNumber: row.company_number,
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
