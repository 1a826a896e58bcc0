import { dayOf } from '@counterfoil/contract/kit/day'
import type { Config } from '../config.ts'
import { actAsOwner, actAsReseller, actAsSystem } from '../db/act-as.ts'
import type { Clock } from '../kit/clock.ts'
import type { Db, Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { setPayTokens } from '../payments/payment-link.queries.ts'
import { countUsage } from '../usage-store/count-usage.queries.ts'
import { ensureMonths } from '../usage-store/usage-months.queries.ts'
import { periodsUntil } from './calendar.ts'
import { accountsOf, type SeedOptions } from './account.ts'
import { connectToSandbox } from './organizations.ts'
import { drawBanner } from './pictures/banner.ts'
import { drawIcon, drawLogo } from './pictures/logo.ts'
import { createFontLoader } from './pictures/text-outline.ts'
import { connectDemoPayments } from './demo-payments.ts'
import type { ResellerProfile } from './profile.ts'
import { TABLES_IN_ORDER, type ResellerRows, resellerRows } from './rows/reseller-rows.ts'
import { orbit } from './resellers/orbit.ts'
import { RESELLERS, SHOWCASE } from './resellers/resellers.ts'
import { lockSeeding, advanceSequences, hasReseller, insertPictures, insertRows } from './seed.queries.ts'
import { insertUsage, usageOfCustomer } from './usage.queries.ts'
import { usageBatches } from './usage-batches.ts'

/** The password of every user of the demo data. */
export const DEMO_PASSWORD = 'Counterfoil-2026!'

/** The result of seeding, for the start-up message. */
export interface DemoData {
  /** False when the demo data existed before. */
  readonly made: boolean
  readonly users: readonly { readonly username: string; readonly resellerName: string }[]
}

interface AppContext {
  readonly config: Config
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly passwords: { hash(password: string): Promise<string> }
}

interface Options {
  /** Usage records of the showcase reseller; each other reseller has a fiftieth. */
  readonly usageRows?: number
  readonly progress?: (words: string) => void
}

/** Where the random streams begin: the same number and day give the same rows. */
const SEED = 2204

/**
 * Creates the demo data (OPS-01) in one transaction, under each reseller's role in turn, so that a failed attempt leaves nothing.
 * Where the data exist, only connects them to the sandbox again, whose port may have changed.
 */
export const seedDemoData = async (
  deps: AppContext,
  { usageRows = 60_000, progress = () => undefined }: Options = {},
): Promise<DemoData> => {
  const { store, keys, clock, passwords, config } = deps
  const facts = { keys, now: clock(), sandboxPort: config.sandboxPort }
  const users = RESELLERS.map(({ name, user }) => ({ username: user.username, resellerName: name }))
  if (await store.transact({ role: 'counterfoil_system' }, (db) => hasReseller(db, SHOWCASE.id))) {
    await connectDemoPayments(deps)
    await store.transact({ role: 'counterfoil_reseller', resellerId: orbit.id }, (db) => connectToSandbox(db, facts))
    return { made: false, users }
  }
  const context: SeedContext = {
    seed: SEED,
    today: dayOf(facts.now),
    facts,
    usageRows,
    progress,
    passwordHash: await passwords.hash(DEMO_PASSWORD),
    fontOf: createFontLoader(),
    keys,
  }
  const months = periodsUntil(context.today).map(({ startsOn }) => startsOn)
  await store.transact({ role: 'owner' }, (db) => ensureMonths(db, months), { pool: 'background' })
  const made = await store.transact({ role: 'owner' }, (db) => seedUnlessPresent(db, context), { pool: 'background' })
  await connectDemoPayments(deps)
  return { made, users }
}

interface SeedContext extends SeedOptions {
  readonly progress: (words: string) => void
  readonly passwordHash: string
  readonly fontOf: ReturnType<typeof createFontLoader>
  readonly keys: Keys
  readonly facts: Parameters<typeof connectToSandbox>[1]
}

/**
 * Creates the demo data unless it exists, as when another server has created it meanwhile: a lock lets one server seed at a time.
 * @returns whether this call created it
 */
const seedUnlessPresent = async (db: Db, context: SeedContext): Promise<boolean> => {
  await lockSeeding(db)
  await actAsSystem(db)
  if (await hasReseller(db, SHOWCASE.id)) return false
  await actAsOwner(db)
  const highestIds = new Map<string, number>()
  for (const profile of RESELLERS) await seedReseller(db, profile, context, highestIds)
  await actAsOwner(db)
  await advanceSequences(db, highestIds)
  return true
}

/** Inserts everything of one reseller under its role, and notes the highest ids of each table. Does not commit. */
const seedReseller = async (db: Db, profile: ResellerProfile, context: SeedContext, highestIds: Map<string, number>): Promise<void> => {
  context.progress(`Making the demo world: ${profile.name}`)
  const accounts = accountsOf(profile, {
    ...context,
    usageRows: profile === SHOWCASE ? context.usageRows : Math.round(context.usageRows / 50),
  })
  const rows = resellerRows(profile, accounts, context.passwordHash)
  const add = async (table: keyof ResellerRows): Promise<void> => {
    await insertRows(db, table, rows[table])
    trackHighestId(highestIds, table, rows[table])
  }
  await actAsSystem(db)
  await add('reseller')
  await actAsReseller(db, profile.id)
  for (const table of TABLES_IN_ORDER) await add(table)
  if (profile.payment.type !== 0)
    await setPayTokens(
      db,
      context.keys,
      rows.invoice.map(({ customer_id: customer, id: invoice = 0 }) => ({ customer, invoice })),
    )
  if (profile === orbit) await connectToSandbox(db, context.facts)
  const { logo, banner } = profile.brand
  await insertPictures(db, profile.id, { logo: drawLogo(logo, context.fontOf), banner: drawBanner(banner), icon: drawIcon(logo) })
  for (const account of accounts) {
    for (const batch of usageBatches(account)) {
      await insertUsage(db, batch)
      trackHighestId(highestIds, 'usage_record', [{ id: batch.firstId + batch.seconds.length }])
    }
    await countUsage(db, profile.id, usageOfCustomer({ resellerId: profile.id, customerId: account.id }), 1)
  }
}

/** Notes the highest numeric id of the rows for their table. */
const trackHighestId = (highestIds: Map<string, number>, table: string, rows: readonly object[]): void => {
  for (const row of rows) if ('id' in row && typeof row.id === 'number') highestIds.set(table, Math.max(row.id, highestIds.get(table) ?? 0))
}
