import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { embeddedStore } from '../database.ts'
import { startEngine } from './engine.ts'

const TIMES = 200
const ROWS = 5_000
const MAX_GROWTH_MB = 150

test.skipIf(inject('testDatabase').kind !== 'embedded')('the engine keeps nothing of what it has answered', async () => {
  const store = embeddedStore(await startEngine({ folder: null }), console.error)
  const read = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time += 1)
      await store.transact({ role: 'owner' }, (db) =>
        sql`select n, n::text, repeat('x', 50) from generate_series(1, ${ROWS}) n`.execute(db),
      )
    return process.memoryUsage.rss() / 1_048_576
  }
  try {
    const before = await read(20)
    expect((await read(TIMES)) - before).toBeLessThan(MAX_GROWTH_MB)
  } finally {
    await store.close()
  }
})
