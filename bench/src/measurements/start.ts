import { setTimeout } from 'node:timers/promises'
import { maxFinding, type Finding, median } from '../harness/findings.ts'
import { startServer } from '../harness/running-server.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

/** Measures how soon a second server on the same database is ready, and its memory when idle. */
export const measureStart = async ({ settings }: BenchEnvironment): Promise<Finding[]> => {
  const readyMs: number[] = []
  const idleMb: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const server = await startServer(3_191, settings)
    readyMs.push(server.readyMs)
    await setTimeout(3_000) // until the start-up work is over
    idleMb.push(server.rssMb())
    await server.stop()
  }
  return [
    maxFinding('Server on PostgreSQL, from start to ready', median(readyMs), 600, 'ms'),
    maxFinding('Memory of an idle server on PostgreSQL', median(idleMb), 130, 'MB'),
  ]
}
