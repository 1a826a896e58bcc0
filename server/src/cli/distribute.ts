import { readConfig } from '../config.ts'
import { postgresStore } from '../db/database.ts'
import { explainDatabaseErrors } from '../db/database-errors.ts'
import { distributeUsage, undistributeUsage } from '../distribution/distribute.service.ts'
import { distributionTroubles } from '../distribution/distribution-troubles.service.ts'
import { assertNoTroubles } from '../distribution/troubles/trouble.ts'
import { OperatorError } from '../kit/api-error.ts'
import { command, flag } from './command.ts'
import { confirm } from './program/confirm.ts'

const WORDS = {
  to: 'Usage will move to the workers that Citus knows. Pages go on; imports of usage wait, and fail after a quarter of an hour.',
  back: 'Usage will move back to this server, which needs the space for it. Pages of usage wait while its records move, and so do imports.',
}

export const distributeCommand = command({
  name: 'distribute',
  about: 'spread usage over several machines with Citus, or bring it back',
  options: {
    undo: flag('bring usage back to the one server'),
    yes: flag('do it without asking'),
  },
  note: 'After an interruption begin it again; what is done is left out.',
  runWithoutDatabase: async (io, _, { undo, yes }) => {
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
    try {
      await explainDatabaseErrors(config, async () => {
        assertNoTroubles(await distributionTroubles(store, undo === true ? 'back' : 'to the workers'))
        await confirm(undo === true ? WORDS.back : WORDS.to, yes === true)
        await (undo === true ? undistributeUsage(store, report) : distributeUsage(store, report))
      })
    } finally {
      await store.close()
    }
    if (io.json) io.out(JSON.stringify({ distributed: undo !== true }))
    return 0
  },
})
