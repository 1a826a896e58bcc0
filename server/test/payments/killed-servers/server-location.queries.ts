import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

const runAsAdministrator = async (adminUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Where a test's servers keep their data until it ends: a folder, or a database of its own. */
export const createServerLocation = async (): Promise<Record<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-kill-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const database = inject('testDatabase')
  if (database.kind === 'embedded') return { DATA_DIR: folder }
  const name = `counterfoil_kill_${randomUUID().replaceAll('-', '')}`
  await runAsAdministrator(database.adminUrl, `create database ${name} owner counterfoil_test template ${database.template}`)
  onTestFinished(() => runAsAdministrator(database.adminUrl, `drop database ${name} with (force)`))
  const url = new URL(database.ownerUrl)
  url.pathname = name
  return { DATA_DIR: folder, DATABASE_URL: url.href }
}
