import type { Db } from '../../db/database.ts'
import { DISTRIBUTED_TABLES } from '../../usage-store/distributed-tables.data.ts'
import { forceStatement } from './shard-troubles.rules.ts'
import { listCitusTables, listLocalTables, listUnremoved } from './tables.queries.ts'
import { fault, firstOf, ifAny, type Trouble, warning } from './trouble.ts'

const GO_ON = 'Run counterfoil distribute --yes, which goes on where it was interrupted, or counterfoil distribute --undo --yes.'

/**
 * What is wrong with the tables, as the coordinator has them. Asks no other node. As the owner.
 * @param isAtWork whether a command moves usage: then some tables are not distributed, and row-level security is lifted for the owner
 */
export const tableTroubles = async (db: Db, isMarked: boolean, isAtWork: boolean): Promise<Trouble[]> => {
  const tables = await listCitusTables(db)
  const distributed = tables.filter(({ isOfUsage }) => isOfUsage)
  return [
    ...markTroubles(
      isMarked,
      DISTRIBUTED_TABLES.filter((name) => !distributed.some((table) => table.name === name)),
      isAtWork,
    ),
    ...otherTroubles(tables.filter(({ isOfUsage }) => !isOfUsage).map(({ name }) => name)),
    ...colocationTroubles(distributed),
    ...(distributed.length === 0 ? [] : await localTroubles(db, isAtWork)),
    ...unremovedTroubles(await listUnremoved(db)),
  ]
}

/** Whether the mark and the tables say the same. */
const markTroubles = (isMarked: boolean, local: readonly string[], isAtWork: boolean): Trouble[] => {
  const isDistributed = local.length < DISTRIBUTED_TABLES.length
  if (!isMarked && isDistributed)
    return [
      fault(
        'usage',
        'Usage is distributed, and the mark that says so is missing: programs ask for it as on one server, and people see none.',
        'Run counterfoil distribute --yes, which sets it.',
      ),
    ]
  if (!isMarked || local.length === 0 || isAtWork) return []
  return [
    fault(
      'usage',
      isDistributed
        ? `${local.join(', ')} ${local.length === 1 ? 'is' : 'are'} not distributed, and the others are.`
        : 'The mark says that usage is distributed, and none of its tables is.',
      GO_ON,
    ),
  ]
}

const otherTroubles = (names: readonly string[]): Trouble[] =>
  ifAny(names, () =>
    fault(
      'usage',
      `${firstOf(names)} ${names.length === 1 ? 'is' : 'are'} distributed, and only tables of usage may be.`,
      `Run as the owner: ${names.map((name) => `select undistribute_table('${name}');`).join(' ')}`,
    ),
  )

const colocationTroubles = (distributed: readonly { name: string; column: string | null; colocation: number }[]): Trouble[] => {
  const group = distributed.find(({ name }) => name === 'usage_version')?.colocation
  const apart = distributed.filter(({ colocation }) => group !== undefined && colocation !== group).map(({ name }) => name)
  const otherwise = distributed.filter(({ column }) => column !== 'customer_id').map(({ name }) => name)
  const mend = 'Run counterfoil distribute --undo --yes, then counterfoil distribute --yes.'
  return [
    ...ifAny(apart, () =>
      fault('usage', `${firstOf(apart)} may have a customer’s rows on another node than usage_version has them.`, mend),
    ),
    ...ifAny(otherwise, () => fault('usage', `${firstOf(otherwise)} is not distributed by customer_id.`, mend)),
  ]
}

const unremovedTroubles = (names: readonly string[]): Trouble[] =>
  ifAny(names, () =>
    warning(
      'usage',
      `A move of shards has left ${firstOf(names)}; a slot of replication keeps a worker from removing its log.`,
      'Unless a move is at work, run as the owner on the coordinator: call citus_cleanup_orphaned_resources();',
    ),
  )

/** What Citus does not take, or what was left behind, on the tables as they are on the coordinator. */
const localTroubles = async (db: Db, isAtWork: boolean): Promise<Trouble[]> => {
  const tables = await listLocalTables(db)
  const triggers = tables.flatMap(({ name, triggers }) => triggers.map((trigger) => ({ trigger, name })))
  const policies = tables.flatMap(({ name, policiesWithQuery }) => policiesWithQuery.map((policy) => ({ policy, name })))
  const open = isAtWork ? [] : tables.filter(({ isForced }) => !isForced).map(({ name }) => name)
  const full = tables.filter(({ bytes }) => bytes > 0)
  return [
    ...ifAny(triggers, () =>
      fault(
        'usage',
        `There is the trigger ${firstOf(triggers.map(({ trigger, name }) => `${trigger} on ${name}`))}, and a distributed table takes none.`,
        `Run as the owner: ${triggers.map(({ trigger, name }) => `drop trigger "${trigger}" on ${name};`).join(' ')}`,
      ),
    ),
    ...ifAny(policies, () =>
      fault(
        'usage',
        `There is the policy ${firstOf(policies.map(({ policy, name }) => `${policy} on ${name}`))}, which looks into other rows, and the workers do not have it.`,
        `Run as the owner: ${policies.map(({ policy, name }) => `drop policy "${policy}" on ${name};`).join(' ')}`,
      ),
    ),
    ...ifAny(open, () =>
      fault(
        'usage',
        `Row-level security is not enabled and forced on ${firstOf(open)}.`,
        `Run as the owner: ${open.map(forceStatement).join(' ')}`,
      ),
    ),
    ...ifAny(full, () =>
      warning(
        'usage',
        `The coordinator still has the earlier rows of ${firstOf(full.map(({ name }) => name))}: ${Math.ceil(full.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20).toLocaleString('en')} MiB that nobody reads.`,
        'Run counterfoil distribute --yes, which frees them.',
      ),
    ),
  ]
}
