import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { embeddedStore, postgresStore, type Store } from '../../src/db/database.ts'
import { startEngine } from '../../src/db/embedded/engine.ts'
import { ensureRoles } from '../../src/db/roles.ts'
import { dropDatabase, runAsAdministrator } from './administrator.ts'

const FOLDER = new URL('../../src/migrations/', import.meta.url)

/** The migrations that run on the filled database, in order. */
export const LATER_FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql') && name >= '0060')
  .toSorted()

/** The statuses before the migration and after it; an attempt's id ends in its place here. */
export const STATUSES: readonly (readonly [before: string, after: string])[] = [
  ['created', 'created'],
  ['submitting', 'submitting'],
  ['succeeded', 'succeeded'],
  ['declined', 'declined'],
  ['not-sent', 'not_sent'],
  ['action', 'requires_action'],
  ['processing', 'processing'],
  ['unknown', 'unknown'],
  ['expired', 'expired'],
  ['manual', 'manual'],
  ['refunded', 'refunded'],
  ['reversed', 'reversed'],
]

export const [RESELLER, RIVAL, CUSTOMER] = [1, 2, 1]
/** The id of the attempt with an earlier status. */
export const idOf = (status: string): string =>
  `00000000-0000-4000-8000-${String(STATUSES.findIndex(([before]) => before === status) + 1).padStart(12, '0')}`
/** The invoice of an attempt has the number of its status. */
export const invoiceOf = (status: string): number => STATUSES.findIndex(([before]) => before === status) + 1

/** Every table that the migration touches, filled by the words of before. Two resellers, so that their separation shows. */
export const FILL = `
insert into reseller (id, name, company_name, company_number, email, currency, currency_symbol) values
  (${RESELLER}, 'Nimbus', 'Nimbus Pty Ltd', 'ABN 51 824 753 556', 'help@nimbus.example', 'AUD', '$'), (${RIVAL}, 'Rival', 'Rival Ltd', null, null, 'AUD', '$');
insert into brand (id, reseller_id, name) values (1, ${RESELLER}, 'Nimbus'), (2, ${RIVAL}, 'Rival');
insert into customer (id, reseller_id, brand_id, label, currency, currency_symbol) values (${CUSTOMER}, ${RESELLER}, 1, 'Harbour', 'AUD', '$'), (2, ${RIVAL}, 2, 'Quay', 'AUD', '$');
insert into app_user (id, reseller_id, brand_id, username, display_name) values ('00000000-0000-4000-9000-000000000001', ${RESELLER}, 1, 'ada', 'Ada');

insert into sso_company (reseller_id, brand_id, name, kind, issuer, client_id, client_secret, changed_at) values
  (${RESELLER}, 1, 'orbit', 'oidc', 'https://login.orbit.example', 'portal', 'sealed', '2026-11-19'), (${RIVAL}, 2, 'comet', 'oidc', 'https://comet.example', 'portal', 'sealed', '2026-11-19');
insert into sso_domain (reseller_id, company_id, brand_id, domain) select reseller_id, id, brand_id, name || '.example' from sso_company;
insert into sso_identity (reseller_id, company_id, issuer, subject, user_id, linked_at)
  select reseller_id, id, issuer, 'ada', '00000000-0000-4000-9000-000000000001', '2026-11-19' from sso_company where name = 'orbit';
insert into sso_attempt (state_hash, reseller_id, company_id, browser_hash, origin, expires_at) select 'state', reseller_id, id, 'browser', 'https://nimbus.example', '2026-11-21' from sso_company where name = 'orbit';

insert into payment_owner (customer_id, provider, owner) values (${CUSTOMER}, 'stripe', 'cus_1'), (2, 'stripe', 'cus_2');
insert into invoice (id, customer_id, number, currency, net_minor, amount_minor, amount_due_minor, issued_on, due_on, generated_at)
  select n, ${CUSTOMER}, 'INV-' || n, 'AUD', 10000, 11000, 11000, '2026-11-01', '2026-11-30', '2026-11-01' from generate_series(1, ${STATUSES.length}) n;
create temporary table attempt as select n, status, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id
  from unnest(array[${STATUSES.map(([before]) => `'${before}'`).join(', ')}]) with ordinality s (status, n);
insert into payment_intent (customer_id, id, reseller_id, session_id, channel, currency, created_at, expires_at)
  select ${CUSTOMER}, id, ${RESELLER}, 'session ' || n, 'bulk', 'AUD', '2026-11-19', '2027-01-01' from attempt;
insert into payment_intent_item (customer_id, intent_id, item_no, invoice_id, amount_minor) select ${CUSTOMER}, id, 1, n, 11000 from attempt;
insert into payment_attempt (customer_id, id, reseller_id, intent_id, provider, is_debit, method_type, currency, amount_minor, status, provider_ref, created_at, sent_at,
  resolved_at, resolved_by, next_check_at, idle_checks)
  select ${CUSTOMER}, id, ${RESELLER}, id, 'stripe', false, 'card', 'AUD', 11000, status, 'pi_' || n, '2026-11-19', '2026-11-19', '2026-11-19',
    (array['answer', 'return', 'notice', 'sweep', 'operator'])[1 + n % 5], case status when 'action' then timestamptz '2026-11-19' end, n from attempt;
insert into payment_attempt_item (customer_id, attempt_id, item_no, invoice_id, amount_minor, live)
  select ${CUSTOMER}, id, 1, n, 11000, status in ('created', 'submitting', 'action', 'processing', 'unknown', 'manual') from attempt;
insert into payment_attempt_event (customer_id, attempt_id, entry_no, from_status, to_status, source, note, at)
  select ${CUSTOMER}, id, 1, null::text, 'created', 'answer', null::text, '2026-11-19'::timestamptz from attempt
  union all select ${CUSTOMER}, id, 2, 'created', status, 'notice', null, '2026-11-19' from attempt
  union all select ${CUSTOMER}, id, 3, status, 'expired', 'operator', 'by hand: they said so', '2026-11-19' from attempt where status in ('action', 'not-sent');
insert into payment_allocation (customer_id, attempt_id, entry_no, kind, target, invoice_id, amount_minor, booked_at)
  select ${CUSTOMER}, id, 1, 'pay', 'invoice', n, 11000, '2026-11-19' from attempt where status = 'succeeded';
insert into payment_notice (reseller_id, provider, event_id, kind, subject, received_at, due_at) select r, 'stripe', 'evt_1', 'charge.succeeded', '{}', '2026-11-19', case r when ${RESELLER} then timestamptz '2026-11-19' end
  from unnest(array[${RESELLER}, ${RIVAL}]) r;
insert into payment_drift (reseller_id, provider, provider_ref, kind, currency, ours_minor, theirs_minor, found_at) select r, 'stripe', 'pi_lost', 'missing-here', 'AUD', null, 500, '2026-11-19'
  from unnest(array[${RESELLER}, ${RIVAL}]) r;
select setval(pg_get_serial_sequence('reseller', 'id'), 100), setval(pg_get_serial_sequence('customer', 'id'), 100), setval(pg_get_serial_sequence('invoice', 'id'), 100);
drop table attempt;
`

/** An empty database of this run's kind, without a schema. */
export const openEmptyStore = async (): Promise<{ store: Store; drop(): Promise<void> }> => {
  const database = inject('testDatabase')
  if (database.kind === 'embedded')
    return { store: embeddedStore(await startEngine({ folder: null }), console.error), drop: async () => undefined }
  const name = `counterfoil_test_${randomUUID().replaceAll('-', '')}`
  await runAsAdministrator(database.adminUrl, `create database ${name} owner counterfoil_test`)
  const url = new URL(database.ownerUrl)
  url.pathname = name
  return { store: postgresStore(url.href, console.error, { maxPerPool: 3 }), drop: () => dropDatabase(database.adminUrl, name) }
}

/** Brings the schema, from where it stands before another migration, to where it stood before a migration, as the program of that time did. */
export const migrateToEarlierSchema = async (store: Store, before = '0060', from = ''): Promise<void> => {
  await ensureRoles(store)
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql') && name >= from && name < before)
  for (const name of files.toSorted()) {
    const text = readFileSync(new URL(name, FOLDER), 'utf8')
    const digest = createHash('sha256').update(text).digest('hex')
    await store.transact({ role: 'owner' }, async (db) => {
      await sql
        .raw(
          'create table if not exists migration (name text primary key, digest text not null, ran_at timestamptz not null default now())',
        )
        .execute(db)
      await sql.raw(text).execute(db)
      await sql`insert into migration (name, digest) values (${name}, ${digest})`.execute(db)
    })
  }
}
