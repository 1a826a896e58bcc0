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
  const run = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) expect((await execute(engine, query)).length).toBeGreaterThan(5000 * 50)
  }
  const keptMb = (): number => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1_048_576
  }
  try {
    await run(10)
    const before = keptMb()
    await run(TIMES)
    // V8 frees the bytes of collected buffers a moment later, on a thread of its own.
    await expect.poll(() => keptMb() - before).toBeLessThan(MAX_GROWTH_MB)
  } finally {
    await engine.close()
  }
})
