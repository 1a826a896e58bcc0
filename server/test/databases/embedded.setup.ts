import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { embeddedStore } from '../../src/db/database.ts'
import { startEngine } from '../../src/db/embedded/engine.ts'
import { migrate } from '../../src/db/migrate.ts'

/** Runs before the tests on the embedded database: archives a migrated data folder, which each test file starts from. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const engine = await startEngine({ folder: null })
  const store = embeddedStore(engine, console.error)
  await migrate(store)
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-embedded-'))
  const snapshot = join(folder, 'migrated.tar')
  await writeFile(snapshot, await engine.snapshot())
  await store.close()
  project.provide('testDatabase', { kind: 'embedded', snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
