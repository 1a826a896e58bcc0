import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { copyDatabase, dropCopy } from '../../databases/administrator.ts'

/** Where a test's servers keep their data until it ends: a folder, or a database of its own. */
export const createServerLocation = async (): Promise<Record<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-kill-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const database = inject('testDatabase')
  if (database.kind === 'embedded') return { DATA_DIR: folder }
  const name = `counterfoil_kill_${randomUUID().replaceAll('-', '')}`
  await copyDatabase(database, name)
  onTestFinished(() => dropCopy(database, name))
  const url = new URL(database.ownerUrl)
  url.pathname = name
  return { DATA_DIR: folder, DATABASE_URL: url.href }
}
