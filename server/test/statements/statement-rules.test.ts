import { expect, test } from 'vitest'
import { faultsOf } from './statement-rules.ts'

const faults = (text: string, role = 'counterfoil_reseller', isCitus = false): string[] =>
  faultsOf({ text, role }, isCitus).map(({ rule, tables }) => `${rule} ${tables.join(' ')}`)

const OWN = 'u.customer_id = $1'

test.each([
  ['joined', 'select from usage_record u join service_item i on i.id = u.service_item_id', ['a service_item usage_record']],
  ['a list', 'select from usage_day d, customer c where c.id = d.customer_id', ['a customer usage_day']],
  ['deeper', `select (select count(*) from usage_record u left join record_type t on true)`, ['a record_type usage_record']],
  ['a month', 'copy (select from usage_record_2024_11 u join service s using (id)) to stdout', ['a service usage_record_2024_11']],
  ['a CTE that is read in place', 'with i as (select from service_item) select from i, usage_record', ['a service_item usage_record']],
  ['deleting', 'delete from usage_record u using import i where u.id = i.id', ['a import usage_record']],
  ['one side of a union', 'select 1 union all (select 2 union select from usage_day d join customer c on true)', ['a customer usage_day']],
  ['a materialized CTE', 'with i as materialized (select from service_item) select from i, usage_record', []],
  ['a sub-select', 'select from usage_record where service_item_id in (select id from service_item)', []],
  ['a set function', 'select from usage_record u cross join unnest($1::bigint[]) k (id)', []],
  ['two that are distributed', 'select from usage_record join usage_version using (customer_id)', []],
  ['none that is distributed', 'select from invoice join customer on true', []],
])('a local table in the FROM of a distributed one is found: %s', (_, text, expected) => {
  expect(faults(text)).toEqual(expected)
})

test.each([
  ['no condition', 'select from usage_record u', ['b usage_record']],
  ['another condition', 'select from usage_record u where u.id = $1', ['b usage_record']],
  ['one of two', `select from usage_record u join usage_version v using (customer_id) where ${OWN}`, ['b usage_version']],
  ['or', `select from usage_record u where ${OWN} or true`, ['b usage_record']],
  ['below', `select from (select from usage_record u) x where x.customer_id = $1`, ['b usage_record']],
  ['one side of a union', `select from usage_day d where d.customer_id = $1 union all select from usage_delta`, ['b usage_delta']],
  ['an outer join', `select from usage_record u left join usage_version v on ${OWN} where v.customer_id = $1`, ['b usage_record']],
  ['bound', `select from usage_record u where u.id = 3 and (${OWN} and true)`, []],
  ['bound by a cast', `select from usage_record where customer_id = $1::bigint`, []],
  ['bound by a literal', `select from usage_record where 7 = customer_id`, []],
  ['bound in the join', `select from usage_version v join usage_record u on ${OWN} where v.customer_id = $1`, []],
])('a customer’s request that does not say whose rows it reads is found: %s', (_, text, expected) => {
  expect([faults(text, 'counterfoil_app'), faults(text).filter((fault) => fault.startsWith('b'))]).toEqual([expected, []])
})

test('an insert … select without on conflict, and a CTE that writes, are found', () => {
  expect(faults('insert into usage_record select $1')).toEqual(['c usage_record'])
  expect(faults('insert into usage_record select $1 on conflict do nothing')).toEqual([])
  expect(faults('insert into usage_version values ($1)')).toEqual([])
  expect(faults('with gone as (delete from usage_delta returning 1) select from gone')).toEqual(['d usage_delta'])
  expect(faults('with gone as (delete from invoice returning 1) select from gone, usage_day')).toEqual([])
})

test('settings that the other machines do not hear, and two in one message, are found where the database is distributed', () => {
  const all = ["select set_config('app.customer_id', $1, true)", "begin; set local role x; set local app.customer_id = '1'"]
  expect(all.map((text) => faults(text, 'owner', true))).toEqual([['e '], ['f ']])
  expect(all.map((text) => faults(text))).toEqual([[], []])
  expect(faults('set local role x', 'owner', true)).toEqual([])
})

test('usage that a customer asks for over the connections of everything else is found', () => {
  const found = (connection: string, role = 'counterfoil_app', text = `select from usage_record where customer_id = $1`) =>
    faultsOf({ text, role, connection }).map(({ rule }) => rule)
  expect(found('counterfoil interactive')).toEqual(['g'])
  expect(found('counterfoil usage')).toEqual([])
  expect(found('counterfoil interactive', 'counterfoil_reseller')).toEqual([])
  expect(found('counterfoil interactive', 'counterfoil_app', 'select from invoice where customer_id = $1')).toEqual([])
})
