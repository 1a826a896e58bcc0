import { readFile } from 'node:fs/promises'
import { randomBytes, randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type AppOptions, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { documentRenderer } from '../../src/documents/renderer.ts'
import type { AppContext } from '../../src/context.ts'
import { addMs } from '../../src/kit/clock.ts'
import { embeddedStore, postgresStore, type Store } from '../../src/db/database.ts'
import { ensureLoginSettings } from '../../src/db/server/login-settings.ts'
import { startEngine } from '../../src/db/embedded/engine.ts'
import { deriveKeys } from '../../src/kit/keys.ts'
import { type Log, openLog } from '../../src/kit/log.ts'
import type { PaymentsDeps } from '../../src/payments/payments-deps.ts'
import { type HashCost, createPasswords } from '../../src/session/passwords.ts'
import { copyDatabase, dropCopy, type TestServers } from '../databases/administrator.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database to copy: a snapshot file of the embedded one, or a template database of a server. */
    testDatabase: { kind: 'embedded'; snapshot: string } | ({ kind: 'postgres'; ownerUrl: string; template: string } & TestServers)
  }
}

export interface TestContext extends AppContext {
  /** Advances the clock. */
  advance(ms: number): void
  /** A server on its data. @param options with `publicUrl`: where people reach it */
  app(options?: Partial<AppOptions> & { readonly publicUrl?: string }): ReturnType<typeof buildApp>
}

/** Limits that the tests raise: dozens of requests a second come from one address and one user. */
const TEST_LIMITS = 'page=100000/1s user=100000/1s anonymous=100000/1s address=100000/1s network=100000/1s'

/** A transaction may wait this long for another one: a busy machine is no fault. */
const ENGINE_WAIT_MS = 60_000

/** A cheap password hash for tests of other things, which sign in thousands of times. */
const CHEAP_HASH: HashCost = { memoryCost: 64, timeCost: 1, parallelism: 1 }

interface TestOptions {
  readonly log?: Log
  readonly store?: Store
  readonly cost?: HashCost
  readonly providers?: PaymentsDeps['providers']
  /** Begins transactions as on a distributed database, whatever the database is. */
  readonly speaks?: Parameters<typeof postgresStore>[2]
}

/**
 * An application context with an empty, migrated database of its own, of the kind that this run is about. A test may pass another `store`,
 * or payment `providers` of its own. The clock stands at noon of a fixed day until it is advanced.
 */
export const testContext = async (settings: Record<string, string> = {}, options: TestOptions = {}): Promise<TestContext> => {
  const config = readConfig({ LOG_LEVEL: 'silent', LIMITS: TEST_LIMITS, DATA_DIR: '/nonexistent', ...settings })
  const { store, close } =
    options.store === undefined ? await openTestStore(options.speaks) : { store: options.store, close: options.store.close }
  const keys = deriveKeys(config.masterKey ?? randomBytes(32))
  const log = options.log ?? openLog(config.logLevel)
  const renderer = documentRenderer()
  const passwords = createPasswords(keys, { cost: options.cost ?? CHEAP_HASH })
  let now = new Date('2026-11-20T12:00:00Z')
  const apps: Awaited<ReturnType<typeof buildApp>>[] = []
  const context: AppContext & Pick<PaymentsDeps, 'providers'> = {
    ...(options.providers === undefined ? {} : { providers: options.providers }),
    config,
    store,
    keys,
    migrations: [],
    log,
    renderer,
    clock: () => now,
    passwords,
    close: async () => {
      for (const app of apps) await app.close()
      await renderer.close()
      await passwords.close()
      await close()
    },
  }
  return {
    ...context,
    advance: (ms) => {
      now = addMs(now, ms)
    },
    app: async ({ publicUrl = config.publicUrl, ...options } = {}) => {
      const app = await buildApp(
        { ...context, config: { ...config, publicUrl } },
        { readiness: { isReady: true }, portalFolder: null, ...options },
      )
      apps.push(app)
      return app
    },
  }
}

/** Reports a broken connection, unless a superuser ended it: tests do that, and so does dropping a database. */
const reportError = (error: Error & { code?: string }): void => {
  if (error.code !== '57P01') console.error(error)
}

/** An empty, migrated database of this run's kind. */
const openTestStore = async (speaks: TestOptions['speaks']): Promise<{ store: Store; close(): Promise<void> }> => {
  const options = inject('testDatabase')
  if (options.kind === 'embedded') {
    const snapshot = new Uint8Array(await readFile(options.snapshot))
    const store = embeddedStore(await startEngine({ folder: null, snapshot, waitMs: ENGINE_WAIT_MS }), reportError)
    return { store, close: () => store.close() }
  }
  const name = `counterfoil_test_${randomUUID().replaceAll('-', '')}`
  await copyDatabase(options, name)
  const url = new URL(options.ownerUrl)
  url.pathname = name
  // A copy of a database lacks the settings of the login role, and connections that are open would not get them.
  const starting = postgresStore(url.href, reportError, { maxPerPool: 1 })
  await ensureLoginSettings(starting).finally(() => starting.close())
  const store = postgresStore(url.href, reportError, { maxPerPool: 5, isUsageApart: true, ...speaks })
  return {
    store,
    close: async () => {
      await store.close()
      await dropCopy(options, name)
    },
  }
}
