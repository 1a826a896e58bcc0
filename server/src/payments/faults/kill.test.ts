import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { testSandbox } from '../../test-sandbox.ts'
import { killServers, serverSettings } from './killed-servers.ts'

const kills = Number(process.env['KILLS'] ?? 2)

const administer = async (adminUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Where this run's servers keep their data: a folder, or a database of the server beside it. */
const place = async (): Promise<Record<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-kill-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const given = inject('testDatabase')
  if (given.kind === 'embedded') return { DATA_DIR: folder }
  const name = `counterfoil_kill_${randomUUID().replaceAll('-', '')}`
  await administer(given.adminUrl, `create database ${name} owner counterfoil_test template ${given.template}`)
  onTestFinished(() => administer(given.adminUrl, `drop database ${name} with (force)`))
  const url = new URL(given.ownerUrl)
  url.pathname = name
  return { DATA_DIR: folder, DATABASE_URL: url.href }
}

test(`[PAY-01] a server that is killed ${kills} times in the middle of payments pays nothing twice, loses and forgets nothing`, async () => {
  const sandbox = await testSandbox()
  onTestFinished(() => sandbox.close())
  const begun = performance.now()
  const counts = await killServers(serverSettings(await place()), sandbox, kills)
  console.log(`kill -9, ${inject('testDatabase').kind}: ${JSON.stringify(counts)} in ${Math.round((performance.now() - begun) / 1_000)} s`)
  expect(counts).toMatchObject({ kills, double: 0, lost: 0, stuck: 0 })
  expect(counts.charges).toBeGreaterThan(0)
}, 7_200_000)
