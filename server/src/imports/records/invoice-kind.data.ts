import { sql } from 'kysely'
import { debtFault } from '../../db/constraints/invoice-debt.ts'
import { BadRow, quoteValue } from '../bad-row.ts'
import { debtFaultText } from '../invoice-debt.rules.ts'
import { currencyField, dayField, idField, instantField, listField, moneyField, nameField, wordField } from './field-types.rules.ts'
import { columnValue, type ImportField, type ImportKind, fieldText, nextValue } from './kind.rules.ts'

export const CUSTOMER_CURRENCY = sql`(select c.currency from customer c where c.id = r.ids[1])`

/** 7 (in collection) cannot be imported: it means that a debit of ours is pending. */
const STATUS = { open: '1', overdue: '1', credited: '9', paid: '11' }

const AMOUNT = moneyField('amount', 'amount_minor', 'needed')
const AMOUNT_DUE = moneyField('amountDue', 'amount_due_minor', 'needed')
const STATUS_FIELD = wordField('status', 'status', STATUS, { fallback: sql`1` })

const newAmount = columnValue(AMOUNT)

/**
 * The billing engine learns of a payment later than we do, so its file must not reopen what is paid or being collected; where its file
 * asks for less than is being collected, it has learned something else, and counts.
 */
const PRESERVED = {
  columns: ['status', 'amount_due_minor'],
  when: sql`t.status in (7, 11) and coalesce(${fieldText('status')}, '1') = '1'
    and ${debtFault({ status: sql`t.status`, amount: newAmount, due: sql`t.amount_due_minor` })} is null`,
}

/** SQL: the value that this field's column has after the import. */
const nextOf = (field: ImportField) => nextValue({ preserved: PRESERVED }, { ...field, value: columnValue(field) })

/** The fault of the debt as it will be stored: a file may leave the status out, and then that of the stored invoice `t` counts. */
const nextFault = sql`(select ${debtFault({ status: sql`coalesce(${nextOf(STATUS_FIELD)}, 1)`, amount: newAmount, due: nextOf(AMOUNT_DUE) })}
  from (select) one left join invoice t on t.customer_id = r.ids[1] and t.external_id = ${fieldText('externalId')})`

/** Invoices, each with its PDF. One with a negative amount is a credit note, and stored as credited where the file has it as open. */
export const INVOICES: ImportKind = {
  name: 'invoices',
  table: 'invoice',
  about: 'invoices and credit notes, each with its PDF where there is one (--files)',
  fields: [
    idField('externalId', 'external_id', 'needed'),
    nameField('number', 'number', 'needed'),
    currencyField('currency', 'currency', 'optional', { fallback: CUSTOMER_CURRENCY }),
    moneyField('netAmount', 'net_minor', 'needed'),
    AMOUNT,
    AMOUNT_DUE,
    dayField('dateInvoice', 'issued_on', 'needed'),
    dayField('dateDue', 'due_on', 'needed'),
    instantField('dateGenerated', 'generated_at', 'optional', {
      fallback: sql`(${fieldText('dateInvoice')} || ' 00:00:00+00')::timestamptz`,
    }),
    STATUS_FIELD,
    nameField('corrects', 'corrects', 'optional'),
    listField('file', '', 'optional'),
  ],
  refs: [
    { name: 'customer', column: 'customer_id', isNeeded: true },
    { name: 'agreement', column: 'agreement_id', isNeeded: false },
    { name: 'period', column: 'period_id', isNeeded: false },
  ],
  key: ['customer_id', 'external_id'],
  currency: sql`coalesce(${fieldText('currency')}, ${CUSTOMER_CURRENCY})`,
  preserved: PRESERVED,
  derive: (value) =>
    (value('status') ?? STATUS.open) === STATUS.open && value('amount')?.startsWith('-') === true ? { status: STATUS.credited } : {},
  checks: [
    {
      field: 'number',
      message: (named) => `number: ${quoteValue(named)} is the number of another invoice of this customer`,
      when: sql`exists (select from invoice t where t.customer_id = r.ids[1] and t.number = ${fieldText('number')}
        and t.external_id is distinct from ${fieldText('externalId')})`,
    },
    {
      field: 'number',
      message: (named) => `number: ${quoteValue(named)} stands in the file for another invoice of this customer too`,
      when: sql`exists (select from record_import_row o where o.import_id = r.import_id and o.line < r.line and o.ids[1] = r.ids[1]
        and (o.v ->> 'number') = ${fieldText('number')} and (o.v ->> 'externalId') <> ${fieldText('externalId')})`,
    },
    {
      field: 'currency',
      message: (named) => `currency: the invoice is there already, in another one than ${quoteValue(named)}`,
      when: sql`exists (select from invoice t where t.customer_id = r.ids[1] and t.external_id = ${fieldText('externalId')} and t.currency <> ${fieldText('currency')})`,
    },
    {
      field: 'amountDue',
      named: sql`concat_ws(' ', ${nextFault}, ${fieldText('amountDue')}, ${fieldText('amount')})`,
      message: (named) => {
        const [fault = '', due = '', amount = ''] = named.split(' ')
        return debtFaultText(fault, { due, amount })
      },
      when: sql`${nextFault} is not null`,
    },
  ],
  checkRow: (value) => {
    const [from, to] = [value('dateInvoice'), value('dateDue')]
    if (from !== null && to !== null && from > to) throw new BadRow(`dateDue: ${quoteValue(to)} is before dateInvoice`)
  },
}
