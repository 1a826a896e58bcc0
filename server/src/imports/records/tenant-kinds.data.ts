import { sql } from 'kysely'
import { quoteValue } from '../bad-row.ts'
import { currencySymbol } from '../focus/import-tenants.ts'
import { type ImportKind, fieldText } from './kind.rules.ts'
import { currencyField, emailField, idField, linesField, listField, nameField, textField, usernameField } from './field-types.rules.ts'

const RESELLER_ID = sql`app_reseller_id()`
/**
 * SQL: whether the line names no brand and no stored row has its external id. A brand is required only for a new row; an existing one keeps
 * its brand.
 */
const isNewRow = (table: string) =>
  sql`r.ids[1] is null and not exists (select from ${sql.table(table)} t where t.reseller_id = ${RESELLER_ID} and t.external_id = ${fieldText('externalId')})`

/** Customers, users, and what a reseller sells. */
export const TENANT_KINDS: readonly ImportKind[] = [
  {
    name: 'customers',
    about: 'who is billed',
    table: 'customer',
    fields: [
      idField('externalId', 'external_id', 'needed'),
      nameField('name', 'label', 'needed'),
      linesField('address', 'address_lines', 'optional'),
      currencyField('currency', 'currency', 'optional', { fallback: sql`(select s.currency from reseller s where s.id = ${RESELLER_ID})` }),
      nameField('currencySymbol', 'currency_symbol', 'optional', {
        fallback: sql`(select s.currency_symbol from reseller s where s.id = ${RESELLER_ID})`,
      }),
    ],
    refs: [{ name: 'brand', column: 'brand_id', isNeeded: false }],
    key: ['reseller_id', 'external_id'],
    derive: (value) => {
      const currency = value('currency')
      return currency === null || value('currencySymbol') !== null ? {} : { currencySymbol: currencySymbol(currency) }
    },
    checks: [
      {
        field: 'brand',
        message: () => 'brand: it is missing, and the customer is new; name it here or with --brand',
        when: isNewRow('customer'),
      },
      {
        field: 'currency',
        message: (named) => `currency: the customer is billed in another one than ${quoteValue(named)}`,
        when: sql`exists (select from customer t where t.reseller_id = ${RESELLER_ID} and t.external_id = ${fieldText('externalId')} and t.currency <> ${fieldText('currency')})`,
      },
    ],
  },
  {
    name: 'users',
    about: 'who signs in; they choose a password by a link',
    table: 'app_user',
    fields: [
      idField('externalId', 'external_id', 'needed'),
      usernameField('username', 'username', 'needed'),
      nameField('name', 'display_name', 'optional', { fallback: fieldText('username') }),
      emailField('email', 'email', 'optional'),
      listField('customers', '', 'optional'),
    ],
    refs: [{ name: 'brand', column: 'brand_id', isNeeded: false }],
    key: ['reseller_id', 'external_id'],
    checks: [
      {
        field: 'brand',
        message: () => 'brand: it is missing, and the user is new; name it here or with --brand',
        when: isNewRow('app_user'),
      },
      {
        field: 'username',
        message: (named) => `username: ${quoteValue(named)} belongs to somebody else`,
        as: 'system',
        when: sql`exists (select from app_user t where lower(t.username) = lower(${fieldText('username')})
          and (t.reseller_id, t.external_id) is distinct from (${RESELLER_ID}, ${fieldText('externalId')}))`,
      },
      {
        field: 'username',
        message: (named) => `username: ${quoteValue(named)} stands in the file for somebody else too`,
        when: sql`exists (select from record_import_row o where o.import_id = r.import_id and o.line < r.line
          and lower(o.v ->> 'username') = lower(${fieldText('username')}) and (o.v ->> 'externalId') <> ${fieldText('externalId')})`,
      },
      {
        field: 'customers',
        message: (named) => `customers: ${quoteValue(named)} names a customer that the reseller does not have`,
        when: sql`exists (select from unnest(array_remove(regexp_split_to_array(${fieldText('customers')}, '\\s*;\\s*'), '')) n
          where not exists (select from customer c where c.external_id = n or c.id::text = n))`,
      },
    ],
  },
  {
    name: 'services',
    about: 'what the reseller sells',
    table: 'service',
    fields: [
      idField('externalId', 'external_id', 'needed'),
      nameField('name', 'name', 'needed'),
      nameField('serviceItemLabel', 'service_item_label', 'optional', { fallback: sql`'Service Item'` }),
    ],
    refs: [],
    key: ['reseller_id', 'external_id'],
    checks: [],
  },
  {
    name: 'record-types',
    about: 'the kinds of usage of a service',
    table: 'record_type',
    fields: [idField('externalId', 'external_id', 'needed'), textField('description', 'description', 'needed')],
    refs: [{ name: 'service', column: 'service_id', isNeeded: true }],
    key: ['reseller_id', 'external_id'],
    checks: [],
  },
]
