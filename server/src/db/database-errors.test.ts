import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { runAsAdministrator } from '../../test/databases/administrator.ts'
import { type OperatorHome, operatorHomes } from '../../test/support/cli-home.ts'
import { databaseTrouble } from './database-errors.ts'

const testDatabase = inject('testDatabase')
const homes = operatorHomes()
let home: OperatorHome

beforeEach(async () => {
  home = await homes.next()
})
afterAll(() => homes.tearDown())

const database = (): string => new URL(home.env['DATABASE_URL'] ?? '').pathname.slice(1)

const runInDatabase = (...statements: string[]): Promise<void> => {
  const url = new URL(testDatabase.kind === 'postgres' ? testDatabase.adminUrl : '')
  url.pathname = statements.some((statement) => statement.startsWith('alter database')) ? 'postgres' : database()
  return runAsAdministrator(url.href, statements.join('; '))
}

const changedUrl = (change: (url: URL) => void): Record<string, string> => {
  const url = new URL(home.env['DATABASE_URL'] ?? '')
  change(url)
  return { DATABASE_URL: url.href }
}

const expectProblem = async (words: readonly string[], reason: string, more: Record<string, string> = {}): Promise<void> => {
  const { exit, err } = await home.run(words, more)
  expect([reason, exit, err]).toEqual([reason, 1, expect.stringContaining(reason) as string])
  expect(err.includes('cannot be reached')).toBe(reason.includes('cannot be reached'))
  expect(err).not.toMatch(/ at .*\.ts:/)
}

test.runIf(testDatabase.kind === 'postgres')(
  '[OPS-03] every command says what is wrong with the database, and that it is not reached only when it is not',
  async () => {
    await home.createDatabase()
    await home.run(['migrate'])
    const list = ['reseller', 'list']
    await expectProblem(
      list,
      'cannot be reached: nobody listens there',
      changedUrl((url) => (url.port = '1')),
    )
    await expectProblem(
      list,
      'cannot be used: there is no database of that name',
      changedUrl((url) => (url.pathname = 'nowhere')),
    )
    await expectProblem(
      list,
      'cannot be used: the user may not sign in',
      changedUrl((url) => (url.username = 'pg_read_all_data')),
    )
    await runInDatabase(`alter database ${database()} connection limit 0`)
    await expectProblem(list, 'cannot be used: it has no connection left')
    await runInDatabase(`alter database ${database()} connection limit -1`)
    await runInDatabase(`alter database ${database()} allow_connections false`)
    await expectProblem(list, 'cannot be used: it takes no connections')
    await runInDatabase(`alter database ${database()} allow_connections true`)

    await runInDatabase(
      `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
      'create trigger full_disk before insert on reseller execute function full_disk()',
    )
    await expectProblem(['reseller', 'add', 'First', '--currency', 'AUD'], 'cannot be used: its disk is full')
    await runInDatabase('revoke select on reseller from counterfoil_system')
    await expectProblem(list, 'cannot be used: a right is missing: permission denied for table reseller')
    await runInDatabase(`alter table migration owner to postgres`)
    await expectProblem(['migrate'], 'a right is missing: permission denied for table migration')
    await runInDatabase('alter schema public rename to elsewhere')
    await expectProblem(['migrate'], 'cannot be used: it has no schema public')
  },
)

test('[OPS-03] each answer of PostgreSQL has its own words, and what is no error of a database has none', () => {
  for (const [code, reason] of [
    ['28P01', 'the password is wrong'],
    ['25006', 'it only reads, as a standby does'],
    ['57P03', 'it is starting or stopping'],
    ['57014', 'it took too long, or somebody stopped it'],
    ['XX001', 'its files are damaged'],
  ] as const)
    expect(databaseTrouble({ code, message: 'its own words' })).toMatchObject({ isReached: true, reason })
  for (const error of [{ code: 'ETIMEDOUT' }, { code: '08006' }, new Error('Connection terminated unexpectedly')])
    expect(databaseTrouble(error)).toMatchObject({ isReached: false })
  for (const other of [null, 7, new Error('x'), { code: 'EPIPE' }, { code: '42P01' }, { code: 'ENOSPC' }])
    expect(databaseTrouble(other)).toBe(undefined)
})
