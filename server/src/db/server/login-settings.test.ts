import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dropDatabase, runAsAdministrator } from '../../../test/databases/administrator.ts'
import { postgresStore } from '../database.ts'
import { prepareServer } from '../migrate.ts'

const database = inject('testDatabase')
const adminUrl = database.kind === 'postgres' ? database.adminUrl : ''

/** What an earlier version set for all databases. */
const EARLIER =
  `statement_timeout=15s lock_timeout=2s idle_in_transaction_session_timeout=10s timezone=UTC client_connection_check_interval=1s
  jit=off plan_cache_mode=force_generic_plan`.split(/\s+/)

/** A user with a database of its own and settings in all databases. */
const addUser = async (settings: readonly string[]) => {
  const name = `counterfoil_user_${randomUUID().replaceAll('-', '')}`
  await runAsAdministrator(adminUrl, `create role ${name} login createrole`)
  for (const setting of settings) await runAsAdministrator(adminUrl, `alter role ${name} set ${setting.replace('=', " = '")}'`)
  await runAsAdministrator(adminUrl, `create database ${name} owner ${name}`)
  onTestFinished(async () => {
    await dropDatabase(adminUrl, name)
    await runAsAdministrator(adminUrl, `drop owned by ${name}; drop role ${name}`)
  })
  const urlOf = (pathname: string): string => Object.assign(new URL(adminUrl), { username: name, pathname }).href
  return {
    start: async (): Promise<void> => {
      const store = postgresStore(urlOf(name), () => undefined, { maxPerPool: 2, name: 'counterfoil start' })
      await prepareServer(store).finally(() => store.close())
    },
    /** What psql would find in a database. */
    settingsIn: async (where: 'own' | 'other'): Promise<string[]> => {
      const client = new pg.Client({ connectionString: urlOf(where === 'own' ? name : 'postgres') })
      await client.connect()
      const { rows } = await client.query<{ setting: string }>(
        `select name || '=' || current_setting(name) as setting from unnest(array['statement_timeout', 'lock_timeout', 'jit']) as name`,
      )
      await client.end()
      return rows.map(({ setting }) => setting)
    },
  }
}

const NEEDED = ['statement_timeout=15s', 'lock_timeout=2s', 'jit=off']
const PLAIN = ['statement_timeout=0', 'lock_timeout=0', 'jit=on']

test.runIf(database.kind === 'postgres')(
  '[OPS-03] a start gives its user the time limits in its own database and in no other, also where an earlier version gave them in all',
  async () => {
    for (const settings of [[], EARLIER]) {
      const user = await addUser(settings)
      await user.start()
      expect([await user.settingsIn('own'), await user.settingsIn('other')]).toEqual([NEEDED, PLAIN])
    }
  },
)

test.runIf(database.kind === 'postgres')("[OPS-03] an administrator's own settings of the user in all databases stay", async () => {
  const user = await addUser([...EARLIER.filter((setting) => !setting.startsWith('lock')), 'lock_timeout=5s'])
  await user.start()
  expect([await user.settingsIn('own'), await user.settingsIn('other')]).toEqual([
    NEEDED,
    ['statement_timeout=15s', 'lock_timeout=5s', 'jit=off'],
  ])
})
