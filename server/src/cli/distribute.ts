import { readConfig } from '../config.ts'
import { postgresStore } from '../db/database.ts'
import { explainDatabaseErrors } from '../db/database-errors.ts'
import { distributeUsage, undistributeUsage } from '../distribution/distribute.service.ts'
import { distributionTroubles } from '../distribution/distribution-troubles.service.ts'
import { planRebalance, type RebalancePlan, rebalanceUsage } from '../distribution/rebalance.service.ts'
import { assertNoTroubles } from '../distribution/troubles/trouble.ts'
import { OperatorError } from '../kit/api-error.ts'
import { command, flag } from './command.ts'
import { confirm } from './program/confirm.ts'

const WORDS = {
  distribute: 'Usage will move to the workers that Citus knows. Pages go on; imports of usage wait, and fail after a quarter of an hour.',
  undo: 'Usage will move back to this server, which needs the space for it. Pages of usage wait while its records move, and so do imports.',
  rebalance: 'Shard groups will move as shown. Pages go on; imports of usage wait, and fail after a quarter of an hour.',
}

/** Tells what rebalancing would do. @returns whether there is anything to do */
const showPlan = ({ moves, isLifted }: RebalancePlan, report: (words: string) => void): boolean => {
  for (const { shardId, from, to, bytes } of moves)
    report(`Shard group ${shardId} is to move from ${from} to ${to}, with ${bytes.toLocaleString('en')} bytes.`)
  if (moves.length === 0) report('There is nothing to move: every node that is to have usage has about as much as the others.')
  if (isLifted) report('An interrupted command left the owner without row-level security or time limit, which is to be put back.')
  return moves.length > 0 || isLifted
}

export const distributeCommand = command({
  name: 'distribute',
  about: 'spread usage over several machines with Citus, or bring it back',
  options: {
    undo: flag('bring usage back to the one server'),
    rebalance: flag('spread usage evenly after a node was added, and empty one that is to have none'),
    yes: flag('do it without asking'),
  },
  note: 'After an interruption begin it again; what is done is left out.',
  runWithoutDatabase: async (io, _, { undo, rebalance, yes }) => {
    if (undo === true && rebalance === true) throw new OperatorError('Say --undo or --rebalance, not both.')
    const config = readConfig()
    const { databaseUrl } = config
    if (databaseUrl === null)
      throw new OperatorError('The embedded database is one file. Usage is distributed where DATABASE_URL names PostgreSQL.')
    if (config.readDatabaseUrl !== null)
      throw new OperatorError('READ_DATABASE_URL cannot be used where usage is distributed; take it out of the settings first.')
    const store = postgresStore(databaseUrl, () => undefined, { maxPerPool: 4, name: 'counterfoil start', isDistributed: true })
    const report = (words: string): void => {
      if (!io.json) io.out(words)
    }
    let moves: RebalancePlan['moves'] = []
    try {
      await explainDatabaseErrors(config, async () => {
        assertNoTroubles(await distributionTroubles(store, undo === true ? 'back' : 'to the workers'))
        if (rebalance === true) {
          const plan = await planRebalance(store)
          moves = plan.moves
          if (!showPlan(plan, report)) return
        }
        const [words, work] =
          rebalance === true
            ? [WORDS.rebalance, rebalanceUsage]
            : undo === true
              ? [WORDS.undo, undistributeUsage]
              : [WORDS.distribute, distributeUsage]
        await confirm(words, yes === true)
        await work(store, report)
      })
    } finally {
      await store.close()
    }
    if (io.json) io.out(JSON.stringify({ distributed: undo !== true, ...(rebalance === true ? { moves } : {}) }))
    return 0
  },
})
