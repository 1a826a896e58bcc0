import type { NewProvider } from './provider-names.ts'

/**
 * The migration that lets resellers have the provider's payment type, by path.
 * @param types every payment type but this one
 * @param migrations the names of the files that are there
 */
export const migrationFiles = (
  { name, type }: NewProvider,
  types: Readonly<Record<string, number>>,
  migrations: readonly string[],
): Record<string, string> => {
  const all = Object.entries({ ...types, [name]: type })
  const cases = all.filter(([, of]) => of !== 0).map(([called, of]) => `when ${of} then '${called}'`)
  const number = Math.max(...migrations.map((file) => Number.parseInt(file, 10)).filter((at) => at > 0)) + 1
  return {
    [`server/src/migrations/${String(number).padStart(4, '0')}-payment-type-${type}.sql`]: `-- Payment type ${type} is ${name}.
alter table reseller drop constraint reseller_payment_type_check;
alter table reseller add constraint reseller_payment_type_check check (payment_type in (${all.map(([, of]) => of).join(', ')}));
alter table reseller drop column payment_provider;
alter table reseller add column payment_provider text generated always as (case payment_type ${cases.join(' ')} end) stored;
`,
  }
}
