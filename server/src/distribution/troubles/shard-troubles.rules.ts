import type { NodeReport } from './node-reports.service.ts'
import { answersOf } from './node-troubles.rules.ts'
import type { Placement } from './tables.queries.ts'
import { fault, firstOf, ifAny, type Trouble, warning } from './trouble.ts'

/** Of how much more or less than the average a worker may hold. */
const MAX_IMBALANCE = 1 / 3

/**
 * What is wrong with the shards on the nodes that answered.
 * @param placements where the shards of usage stand, as Citus had it noted before the nodes were asked, and afterwards
 * @param limits `minUnevenBytes`: below how many bytes in all it does not matter how they are spread
 * @param isAtWork whether a command moves usage, for which row-level security is lifted for the owner
 */
export const shardTroubles = (
  reports: readonly NodeReport[],
  placements: readonly [before: readonly Placement[], after: readonly Placement[]],
  { minUnevenBytes }: { readonly minUnevenBytes: number },
  isAtWork: boolean,
): Trouble[] => [
  ...answersOf(reports).flatMap(({ name, facts: { shards, oldTransactions } }) => {
    const noted = (at: readonly Placement[]) => at.filter(({ node }) => node === name).map(({ shard }) => shard)
    const before = new Set(noted(placements[0]))
    const after = noted(placements[1])
    const expected = new Set([...before, ...after])
    const present = new Set(shards.map((shard) => shard.name))
    const leftOver = [...present].filter((shard) => !expected.has(shard))
    const missing = after.filter((shard) => before.has(shard) && !present.has(shard))
    const open = isAtWork ? [] : shards.filter((shard) => expected.has(shard.name) && !shard.isForced).map((shard) => shard.name)
    const triggers = shards.flatMap((shard) => shard.triggers.map((trigger) => `${trigger} on ${shard.name}`))
    return [
      ...ifAny(missing, () =>
        fault(
          'usage',
          `${name} does not have ${firstOf(missing)}, which Citus has noted there: usage is missing.`,
          'Restore that node from its backup.',
        ),
      ),
      ...ifAny(open, () =>
        fault(
          'usage',
          `Row-level security is not enabled and forced on ${firstOf(open)} of ${name}: it does not keep customers apart there.`,
          `Run as the owner on the coordinator: ${tablesOf(open).map(forceStatement).join(' ')}`,
        ),
      ),
      ...ifAny(triggers, () =>
        fault('usage', `${name} has the trigger ${firstOf(triggers)}.`, 'Drop it there: Citus knows nothing of it.'),
      ),
      ...ifAny(leftOver, () =>
        warning(
          'usage',
          `${name} still has shards that stand elsewhere now: ${firstOf(leftOver)}. A move of shards is at work, or was broken off.`,
          `Unless one is at work, run as the owner on the coordinator: call citus_cleanup_orphaned_resources(); what then remains an administrator drops on that node, after "set citus.enable_manual_changes_to_shards = on".`,
        ),
      ),
      ...ifAny(oldTransactions, () =>
        fault(
          'usage',
          `${name} has prepared transactions that nobody has ended for minutes, and that keep their locks: ${firstOf(oldTransactions)}.`,
          'Have an administrator run on the coordinator: select recover_prepared_transactions(); and "rollback prepared" on that node for those that are not of Citus.',
        ),
      ),
    ]
  }),
  ...imbalanceTroubles(reports, minUnevenBytes),
]

/** The tables that these shards are parts of. */
const tablesOf = (shards: readonly string[]): string[] => [...new Set(shards.map((shard) => shard.replace(/_\d+$/, '')))]

/** The statement that enables and forces row-level security on a table, and on its shards. */
export const forceStatement = (table: string): string => `alter table ${table} enable row level security, force row level security;`

const GIB = 2 ** 30

/** Whether the workers hold about as many bytes. Nobody can tell while one of them does not answer. */
const imbalanceTroubles = (reports: readonly NodeReport[], minBytes: number): Trouble[] => {
  const answers = answersOf(reports)
  const held = answers
    .filter(({ report, facts }) => report.node.holdsUsage || facts.shards.length > 0)
    .map(({ name, facts }) => ({ name, bytes: facts.shards.reduce((sum, { bytes }) => sum + bytes, 0) }))
  const all = held.reduce((sum, { bytes }) => sum + bytes, 0)
  const average = all / held.length
  if (answers.length < reports.length || all < minBytes) return []
  if (held.every(({ bytes }) => Math.abs(bytes - average) <= average * MAX_IMBALANCE)) return []
  return [
    warning(
      'usage',
      `Usage is spread unevenly: ${held.map(({ name, bytes }) => `${name} holds ${(bytes / GIB).toFixed(1)} GiB`).join(', ')}.`,
      'Run counterfoil distribute --rebalance.',
    ),
  ]
}
