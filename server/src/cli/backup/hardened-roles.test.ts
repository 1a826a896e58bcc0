import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { dropDatabase, runAsAdministrator } from '../../../test/databases/administrator.ts'
import { type OperatorHome, operatorHomes } from '../../../test/support/cli-home.ts'
import { type CommandResult, runJsonCommand } from '../../../test/support/operator.ts'

const testDatabase = inject('testDatabase')
const adminUrl = testDatabase.kind === 'postgres' ? testDatabase.adminUrl : ''
const homes = operatorHomes()
let home: OperatorHome
const databases: string[] = []
const roles: string[] = []

beforeEach(async () => {
  home = await homes.next()
})
afterAll(async () => {
  await homes.tearDown()
  for (const name of databases) await dropDatabase(adminUrl, name)
  for (const role of roles) await runAsAdministrator(adminUrl, `drop role ${role}`)
})

const freshName = (): string => `counterfoil_test_${randomUUID().replaceAll('-', '')}`

/** Runs a statement as the administrator, in a database. */
const runIn = (database: string, statement: string): Promise<void> => {
  const url = new URL(adminUrl)
  url.pathname = database
  return runAsAdministrator(url.href, statement)
}

const createRole = async (rights = 'createrole'): Promise<string> => {
  const role = freshName()
  await runAsAdministrator(adminUrl, `create role ${role} login ${rights} password 'x'`)
  roles.push(role)
  return role
}

/** An empty database, which the commands use from here on. @returns its name */
const useDatabase = async (role: string, owner = role): Promise<string> => {
  const database = freshName()
  await runAsAdministrator(adminUrl, `create database ${database} owner ${owner}`)
  databases.push(database)
  const url = new URL(adminUrl)
  Object.assign(url, { username: role, password: 'x', pathname: database })
  home.env['DATABASE_URL'] = url.href
  return database
}

const expectDone = async (...words: string[]): Promise<CommandResult> => {
  const result = await home.run(words)
  expect([words, result.exit, result.err]).toEqual([words, 0, ''])
  return result
}

interface Finding {
  readonly about: string
  readonly state: string
  readonly mend?: string
}

const findingsOf = async (...about: string[]): Promise<Finding[]> => {
  const { findings } = JSON.parse((await home.run(['doctor', '--json'])).out) as { findings: Finding[] }
  return findings.filter((finding) => about.includes(finding.about))
}

test.runIf(testDatabase.kind === 'postgres')(
  '[OPS-03] after the hardening that doctor asks for, a backup is restored in place and into a new database, and a new one is migrated',
  async () => {
    const role = await createRole()
    const database = await useDatabase(role)
    await expectDone('migrate')
    const statements = (await expectDone('migrate', '--print-roles')).out
    const [before] = await findingsOf('roles')
    if (before?.state !== 'good') expect(before?.mend).toContain(statements)
    await runIn(database, statements) // on PostgreSQL 15 this is what takes the roles' rights from the user
    await runIn(database, `alter role ${role} noinherit`)
    expect((await findingsOf('roles', 'rights')).map(({ state }) => state)).toEqual(['good', 'good'])

    await expectDone('reseller', 'add', 'First', '--currency', 'AUD')
    const file = join(home.folder, 'house.backup')
    await expectDone('backup', file)
    await expectDone('reseller', 'add', 'Second', '--currency', 'AUD')
    await expectDone('restore', file, '--yes')
    expect((await expectDone('reseller', 'list')).out).not.toContain('Second')
    expect((await expectDone('audit', 'verify')).out).toContain('The audit log is whole.')

    await useDatabase(role)
    expect(await findingsOf('rights')).toMatchObject([{ state: 'warning' }])
    await expectDone('restore', file)
    expect((await expectDone('reseller', 'list')).out).toContain('First')

    await useDatabase(role)
    await expectDone('migrate')
    expect(await findingsOf('rights')).toMatchObject([{ state: 'good' }])
  },
)

test.runIf(testDatabase.kind === 'postgres')(
  '[OPS-03] in a database that belongs to somebody else, migrate and restore say what an administrator must run, and that is enough',
  async () => {
    const role = await createRole('nocreaterole noinherit')
    await useDatabase(role)
    const own = home.env['DATABASE_URL'] ?? ''
    await runIn(new URL(own).pathname.slice(1), (await expectDone('migrate', '--print-roles')).out)
    await expectDone('reseller', 'add', 'First', '--currency', 'AUD')
    const file = join(home.folder, 'house.backup')
    await expectDone('backup', file)

    const database = await useDatabase(role, 'postgres')
    for (const words of [['migrate'], ['restore', file]]) {
      const { exit, err } = await home.run(words)
      expect([exit, err]).toEqual([
        1,
        expect.stringContaining(`"${role}" may not make tables in this database. Ask an administrator`) as string,
      ])
      expect(err).not.toContain('cannot be reached')
    }
    expect(await findingsOf('rights')).toMatchObject([
      { state: 'bad', mend: expect.stringContaining('grant usage, create on schema public') as string },
    ])
    await runIn(database, (await expectDone('migrate', '--print-roles')).out)
    await expectDone('restore', file)
    expect((await expectDone('reseller', 'list')).out).toContain('First')
    await home.withContext(async (context) => expect(await runJsonCommand(context, 'audit', 'verify')).toMatchObject({ isWhole: true }))
  },
)
