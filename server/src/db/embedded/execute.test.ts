import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PGlite, protocol } from '@electric-sql/pglite'
import { expect, inject, test } from 'vitest'
import { execute } from './execute.ts'

const TIMES = 100
const MAX_GROWTH_MB = 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test.skipIf(inject('testDatabase').kind !== 'embedded')('the engine keeps nothing of what it has answered', async () => {
  const engine = await PGlite.create()
  const query = protocol.serialize.query("select n, n::text, repeat('x', 50) from generate_series(1, 5000) n")
  const keptAfter = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time += 1) expect((await execute(engine, query)).length).toBeGreaterThan(5000 * 50)
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1_048_576
  }
  try {
    const before = await keptAfter(10)
    expect((await keptAfter(TIMES)) - before).toBeLessThan(MAX_GROWTH_MB)
  } finally {
    await engine.close()
  }
})
