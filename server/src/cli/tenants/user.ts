import { firstPassword } from '../../imports/focus/first-password.ts'
import { shown } from '../../imports/bad-row.ts'
import { actAsReseller, actAsSystem } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { endOtherSessions } from '../../session/session.queries.ts'
import { type Command, type Io, listOption, type Options, textOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { columnsOf, type Field, field } from './field-set.ts'
import { email, optional, text, username, wholeId } from './fields.rules.ts'
import * as find from './find.ts'
import { typedPassword } from './typed-password.ts'
import { tellList, tellRecord } from './print.ts'
import { customersOf, insertUser, linkUser, someUsers, updateUser, userCalled } from './user.queries.ts'

/** What an operator may say of a user, apart from the customers that it acts for. */
export const USER_FIELDS: readonly Field[] = [
  field('name', 'display_name', 'text', 'the person’s name as it is shown', text(100)),
  field('email', 'email', 'address', 'where mails to the person go', optional(email)),
  field('external-id', 'external_id', 'id', "the billing engine's own id", optional(text(200))),
]

/** `counterfoil user add USERNAME --brand B --customer C …`: may sign in at once, with a password that is read or made. */
export const userAddCommand: Command = async (deps, io, [typed = ''], options) => {
  const name = username('username', typed) ?? ''
  const given = columnsOf(USER_FIELDS, options)
  const read = await passwordFrom(io, options, [name, String(given['email'] ?? '')])
  const password = read ?? firstPassword()
  const hash = await deps.passwords.hash(password)
  const made = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const brand = await find.brand(db, textOption(options, 'brand') ?? '', await ownerId(db, options))
    const customers = await customersFrom(db, options, brand.resellerId)
    if ((await userCalled(db, name)) !== undefined) throw taken(name)
    await actAsReseller(db, brand.resellerId)
    const row = { display_name: name, ...given, username: name, reseller_id: brand.resellerId, brand_id: brand.id }
    const id = await refusingTaken(() => insertUser(db, { ...row, password_hash: hash, password_changed_at: deps.clock() }))
    if (id === undefined) throw taken(name)
    await linkUser(db, id, customers)
    await noteOperator(db, deps, 'user.added', { resellerId: brand.resellerId, subject: `user ${id}`, after: { ...row, customers } })
    return { id, username: name, brand: brand.id, reseller: brand.resellerId, customers }
  })
  if (io.json) return tellRecord(io, read === undefined ? { ...made, password } : made)
  io.out(`User ${name} may sign in and act for ${made.customers.length} customer${made.customers.length === 1 ? '' : 's'}.`)
  if (read === undefined) io.out(`Password: ${password} (shown this once)`)
  return 0
}

const MOST_LISTED = 1_000

/** `counterfoil user list [--reseller R] [--brand B] [--customer C] [--limit N]` */
export const userListCommand: Command = async (deps, io, _args, options) => {
  const limit = wholeId('limit', textOption(options, 'limit') ?? String(MOST_LISTED))
  const users = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const resellerId = await ownerId(db, options)
    const [brand, customer] = [textOption(options, 'brand'), textOption(options, 'customer')]
    const of = {
      ...(resellerId === undefined ? {} : { resellerId }),
      ...(brand === undefined ? {} : { brandId: (await find.brand(db, brand, resellerId)).id }),
      ...(customer === undefined ? {} : { customerId: (await find.customer(db, customer, resellerId)).id }),
    }
    return someUsers(db, of, limit)
  })
  return tellList(io, 'users', users)
}

/** `counterfoil user show U` */
export const userShowCommand: Command = async (deps, io, [wanted = '']) => {
  const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const found = await theUser(db, wanted)
    const customers = await customersOf(db, found.id)
    return { ...found, customers: customers.map(({ id, name }) => `${name} (${id})`) }
  })
  return tellRecord(io, user)
}

/** `counterfoil user set U …`: changes what is named; with --customer, the customers that the user acts for become exactly these. */
export const userSetCommand: Command = async (deps, io, [wanted = ''], options) => {
  const to = columnsOf(USER_FIELDS, options)
  const isLinking = listOption(options, 'customer') !== undefined
  if (Object.keys(to).length === 0 && !isLinking) throw new OperatorError('Say what to change: counterfoil user set --help lists it.')
  const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, username, reseller } = await theUser(db, wanted)
    const customers = await customersFrom(db, options, reseller)
    await actAsReseller(db, reseller)
    if (Object.keys(to).length > 0) await refusingTaken(() => updateUser(db, id, to))
    if (isLinking) await linkUser(db, id, customers)
    const detail = [...Object.keys(to), ...(isLinking ? ['customers'] : [])].join(' ')
    await noteOperator(db, deps, 'user.changed', { resellerId: reseller, subject: `user ${id}`, detail, after: { ...to, customers } })
    return { id, username, changed: true }
  })
  return tellRecord(io, user, `User ${user.username} is changed.`)
}

/** `counterfoil user disable U`: signs the person out everywhere, at once, and lets nobody in by this name. */
export const userDisableCommand: Command = async (deps, io, [wanted = '']) => {
  const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, username, reseller, disabled } = await theUser(db, wanted)
    await actAsReseller(db, reseller)
    if (!disabled) await updateUser(db, id, { disabled_at: deps.clock() })
    await actAsSystem(db)
    const ended = await endOtherSessions(db, id, null, 'disabled', deps.clock())
    await noteOperator(db, deps, 'user.disabled', { resellerId: reseller, subject: `user ${id}` })
    return { id, username, disabled: true, sessionsEnded: ended.length }
  })
  return tellRecord(io, user, `User ${user.username} is disabled; sessions ended: ${user.sessionsEnded}.`)
}

/** `counterfoil user enable U`: the password and the customers are what they were. */
export const userEnableCommand: Command = async (deps, io, [wanted = '']) => {
  const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, username, reseller } = await theUser(db, wanted)
    await actAsReseller(db, reseller)
    await updateUser(db, id, { disabled_at: null })
    await noteOperator(db, deps, 'user.enabled', { resellerId: reseller, subject: `user ${id}` })
    return { id, username, disabled: false }
  })
  return tellRecord(io, user, `User ${user.username} may sign in again.`)
}

const taken = (name: string): OperatorError => new OperatorError(`The username ${name} is taken; usernames are unique in the installation.`)

const refusingTaken = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    throw new OperatorError('--external-id: another user of this reseller has it.', { cause: error })
  }
}

/** The user of a username. As counterfoil_system. @throws OperatorError when there is none */
export const theUser = async (db: Db, wanted: string) => {
  const found = await userCalled(db, wanted.trim())
  if (found === undefined) throw new OperatorError(`There is no user ${shown(wanted)}.`)
  return found
}

/** The customers of --customer, in their order. @throws OperatorError for one that the reseller does not have */
export const customersFrom = async (db: Db, options: Options, resellerId: number): Promise<number[]> => {
  const ids: number[] = []
  for (const wanted of listOption(options, 'customer') ?? []) ids.push((await find.customer(db, wanted, resellerId)).id)
  return [...new Set(ids)]
}

/** The id of --reseller, where it was given. @throws OperatorError when there is none */
export const ownerId = async (db: Db, options: Options): Promise<number | undefined> => {
  const owner = textOption(options, 'reseller')
  return owner === undefined ? undefined : (await find.reseller(db, owner)).id
}

const passwordFrom = async (io: Io, options: Options, ownWords: readonly string[]): Promise<string | undefined> => {
  const path = textOption(options, 'passwordFile')
  return path === undefined ? undefined : typedPassword(await io.openFile(path), ownWords)
}
