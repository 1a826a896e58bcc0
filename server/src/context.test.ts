import { mkdtempSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openContext } from './context.ts'
import { openLog } from './kit/log.ts'
import { dropDatabase, runAsAdministrator } from '../test/databases/administrator.ts'

const database = inject('testDatabase')

test.skipIf(database.kind !== 'postgres')(
  '[OPS-02] DATABASE_URL is all it takes to run on an empty PostgreSQL, the second time too',
  async () => {
    if (database.kind !== 'postgres') return
    const name = `counterfoil_empty_${randomUUID().replaceAll('-', '')}`
    await runAsAdministrator(database.adminUrl, `create database ${name} owner counterfoil_test`)
    const url = new URL(database.ownerUrl)
    url.pathname = name
    const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-context-'))
    try {
      for (const start of ['first', 'second']) {
        const config = readConfig({ DATABASE_URL: url.href, DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
        const context = await openContext(config, openLog(config.logLevel))
        const app = await buildApp(context, { readiness: { isReady: true }, portalFolder: null })
        expect((await app.inject('/readyz')).json(), start).toEqual({ status: 'ready' })
        expect((await app.inject('/v1/brands-settings/0')).json<{ name: string }>().name, start).toBe('Counterfoil')
        await app.close()
        await context.close()
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
      await dropDatabase(database.adminUrl, name)
    }
  },
)
