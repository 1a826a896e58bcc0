import { sql } from 'kysely'
import { shown } from '../bad-row.ts'
import { type ImportKind, said } from './kind.rules.ts'
import { ofCurrency, ofEmail, ofId, ofLines, ofList, ofName, ofText, ofUsername } from './readings.rules.ts'

const own = sql`app_reseller_id()`
/** A brand is only told for somebody new; who is there keeps its own. */
const newcomer = (table: string) =>
  sql`r.ids[1] is null and not exists (select from ${sql.table(table)} t where t.reseller_id = ${own} and t.external_id = ${said('externalId')})`

/** Who there is, and what a reseller sells. */
export const TENANT_KINDS: readonly ImportKind[] = [
  {
    name: 'customers',
    about: 'who is billed',
    table: 'customer',
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofName('name', 'label', 'needed'),
      ofLines('address', 'address_lines', 'optional'),
      ofCurrency('currency', 'currency', 'optional', { fallback: sql`(select s.currency from reseller s where s.id = ${own})` }),
      ofName('currencySymbol', 'currency_symbol', 'optional', {
        fallback: sql`(select s.currency_symbol from reseller s where s.id = ${own})`,
      }),
    ],
    refs: [{ name: 'brand', column: 'brand_id', isNeeded: false }],
    key: ['reseller_id', 'external_id'],
    checks: [
      {
        field: 'brand',
        words: () => 'brand: it is missing, and the customer is new; name it here or with --brand',
        when: newcomer('customer'),
      },
      {
        field: 'currency',
        words: (named) => `currency: the customer is billed in another one than ${shown(named)}`,
        when: sql`exists (select from customer t where t.reseller_id = ${own} and t.external_id = ${said('externalId')} and t.currency <> ${said('currency')})`,
      },
    ],
  },
  {
    name: 'users',
    about: 'who signs in; they choose a password by a link',
    table: 'app_user',
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofUsername('username', 'username', 'needed'),
      ofName('name', 'display_name', 'optional', { fallback: said('username') }),
      ofEmail('email', 'email', 'optional'),
      ofList('customers', '', 'optional'),
    ],
    refs: [{ name: 'brand', column: 'brand_id', isNeeded: false }],
    key: ['reseller_id', 'external_id'],
    checks: [
      {
        field: 'brand',
        words: () => 'brand: it is missing, and the user is new; name it here or with --brand',
        when: newcomer('app_user'),
      },
      {
        field: 'username',
        words: (named) => `username: ${shown(named)} belongs to somebody else`,
        as: 'system',
        when: sql`exists (select from app_user t where lower(t.username) = lower(${said('username')})
          and (t.reseller_id, t.external_id) is distinct from (${own}, ${said('externalId')}))`,
      },
      {
        field: 'username',
        words: (named) => `username: ${shown(named)} stands in the file for somebody else too`,
        when: sql`exists (select from record_import_row o where o.import_id = r.import_id and o.line < r.line
          and lower(o.v ->> 'username') = lower(${said('username')}) and (o.v ->> 'externalId') <> ${said('externalId')})`,
      },
      {
        field: 'customers',
        words: (named) => `customers: ${shown(named)} names a customer that the reseller does not have`,
        when: sql`exists (select from unnest(array_remove(regexp_split_to_array(${said('customers')}, '\\s*;\\s*'), '')) n
          where not exists (select from customer c where c.external_id = n or c.id::text = n))`,
      },
    ],
  },
  {
    name: 'services',
    about: 'what the reseller sells',
    table: 'service',
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofName('name', 'name', 'needed'),
      ofName('serviceItemLabel', 'service_item_label', 'optional', { fallback: sql`'Service Item'` }),
    ],
    refs: [],
    key: ['reseller_id', 'external_id'],
    checks: [],
  },
  {
    name: 'record-types',
    about: 'the kinds of usage of a service',
    table: 'record_type',
    fields: [ofId('externalId', 'external_id', 'needed'), ofText('description', 'description', 'needed')],
    refs: [{ name: 'service', column: 'service_id', isNeeded: true }],
    key: ['reseller_id', 'external_id'],
    checks: [],
  },
]
