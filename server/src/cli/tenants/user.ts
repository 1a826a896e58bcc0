import { generatePassword } from '../../imports/focus/generate-password.ts'
import { quoteValue } from '../../imports/bad-row.ts'
import { actAsReseller, actAsSystem } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { endOtherSessions } from '../../session/session.queries.ts'
import { command, OF_RESELLER, type CommandIo, flag, inputOption, listOption, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { CLEARS, field, parseFields } from './field-set.ts'
import { email, locale, optional, text, username, parseId } from './fields.rules.ts'
import { findResellerId, requireBrand, requireCustomer } from './require-tenant.ts'
import { readPassword } from './read-password.ts'
import { printList, printRecord } from './print.ts'
import { customersOfUser, insertUser, replaceUserCustomers, listUsers, updateUser, findUserByUsername } from './user.queries.ts'

/** The fields of a user, without the customers that it acts for. */
const USER_FIELDS = {
  name: field('display_name', 'text', 'the person’s name as it is shown', text(100)),
  email: field('email', 'address', 'where mails to the person go', optional(email)),
  externalId: field('external_id', 'id', "the billing engine's own id", optional(text(200))),
  receiptEmail: field('receipt_email', 'address', 'what stands in “Email for the receipt” to begin with', optional(email)),
  numberLocale: field('number_locale', 'locale', 'how numbers and dates are written: en-AU; empty: as the browser says', optional(locale)),
}
/** A customer that a new user acts for. */
export const ACTS_FOR = listOption('external id or id', 'a customer that the user acts for; the first is shown first')
export const SIGNS_IN_UNDER = requiredOption(textOption('id or name', 'the brand under which the user signs in'))

export const userAddCommand = command({
  name: 'user add',
  about: 'make a user who may sign in at once',
  arguments: { username: 'text' },
  options: {
    ...USER_FIELDS,
    customer: ACTS_FOR,
    brand: SIGNS_IN_UNDER,
    passwordFile: inputOption(
      'file',
      'where the password stands, alone on a line (- is standard input); without it one is made and printed',
    ),
    reseller: OF_RESELLER,
  },
  run: async (deps, io, { username: rawName }, options) => {
    const name = username('username', rawName) ?? ''
    const columns = parseFields(USER_FIELDS, options)
    const typedPassword = await readPasswordOption(io, options.passwordFile, [name, String(columns['email'] ?? '')])
    const password = typedPassword ?? generatePassword()
    const hash = await deps.passwords.hash(password)
    const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const brand = await requireBrand(db, options.brand, await findResellerId(db, options.reseller))
      const customers = await findCustomerIds(db, options.customer, brand.resellerId)
      if ((await findUserByUsername(db, name)) !== undefined) throw usernameTaken(name)
      await actAsReseller(db, brand.resellerId)
      const row = { display_name: name, ...columns, username: name, reseller_id: brand.resellerId, brand_id: brand.id }
      const id = await rejectTakenExternalId(() => insertUser(db, { ...row, password_hash: hash, password_changed_at: deps.clock() }))
      if (id === undefined) throw usernameTaken(name)
      await replaceUserCustomers(db, id, customers)
      await auditOperator(db, deps, 'user.added', { resellerId: brand.resellerId, subject: `user ${id}`, after: { ...row, customers } })
      return { id, username: name, brand: brand.id, reseller: brand.resellerId, customers }
    })
    if (io.json) return printRecord(io, typedPassword === undefined ? { ...user, password } : user)
    io.out(`User ${name} may sign in and act for ${user.customers.length} customer${user.customers.length === 1 ? '' : 's'}.`)
    if (typedPassword === undefined) io.out(`Password: ${password} (shown this once)`)
    return 0
  },
})

const DEFAULT_LIMIT = 1_000

export const userListCommand = command({
  name: 'user list',
  about: 'list users',
  options: {
    brand: textOption('id or name', 'of this brand alone'),
    customer: textOption('external id or id', 'who may act for this customer'),
    limit: textOption('number', `how many at most (${DEFAULT_LIMIT})`),
    reseller: OF_RESELLER,
  },
  run: async (deps, io, _, options) => {
    const limit = parseId('limit', options.limit ?? String(DEFAULT_LIMIT))
    const users = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const resellerId = await findResellerId(db, options.reseller)
      const [brand, customer] = [options.brand, options.customer]
      const filter = {
        ...(resellerId === undefined ? {} : { resellerId }),
        ...(brand === undefined ? {} : { brandId: (await requireBrand(db, brand, resellerId)).id }),
        ...(customer === undefined ? {} : { customerId: (await requireCustomer(db, customer, resellerId)).id }),
      }
      return listUsers(db, filter, limit)
    })
    return printList(io, 'users', users, ['disabledAt'])
  },
})

export const userShowCommand = command({
  name: 'user show',
  about: 'show a user and the customers that it acts for',
  arguments: { username: 'text' },
  run: async (deps, io, { username }) => {
    const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const user = await requireUser(db, username)
      const customers = await customersOfUser(db, user.id)
      return { ...user, customers: customers.map(({ id, name }) => `${name} (${id})`), customerIds: customers.map(({ id }) => id) }
    })
    const { disabledAt: _, customerIds: __, ...printed } = user
    return printRecord(io, io.json ? user : printed)
  },
})

export const userSetCommand = command({
  name: 'user set',
  about: 'change a user',
  arguments: { username: 'text' },
  options: {
    ...USER_FIELDS,
    customer: listOption('external id or id', 'the customers that the user acts for from now on, these and no others'),
  },
  note: CLEARS,
  run: async (deps, io, { username: usernameArgument }, options) => {
    const changes = parseFields(USER_FIELDS, options)
    const changesCustomers = options.customer !== undefined
    if (Object.keys(changes).length === 0 && !changesCustomers)
      throw new OperatorError('Say what to change: counterfoil user set --help lists it.')
    const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id, username, reseller } = await requireUser(db, usernameArgument)
      const customers = await findCustomerIds(db, options.customer, reseller)
      await actAsReseller(db, reseller)
      if (Object.keys(changes).length > 0) await rejectTakenExternalId(() => updateUser(db, id, changes))
      if (changesCustomers) await replaceUserCustomers(db, id, customers)
      const detail = [...Object.keys(changes), ...(changesCustomers ? ['customers'] : [])].join(' ')
      await auditOperator(db, deps, 'user.changed', {
        resellerId: reseller,
        subject: `user ${id}`,
        detail,
        after: { ...changes, customers },
      })
      return { id, username, changed: true }
    })
    return printRecord(io, user, `User ${user.username} is changed.`)
  },
})

export const userDisableCommand = command({
  name: 'user disable',
  about: 'sign a user out everywhere and let nobody in by this name',
  arguments: { username: 'text' },
  options: { yes: flag('do it without asking') },
  resolve: ({ store }, { username }) => store.transact({ role: 'counterfoil_system' }, (db) => requireUser(db, username)),
  confirm: ({ username: name }) => `Disabling ${name} ends every session of this user at once.`,
  run: async (deps, io, { username: usernameArgument }) => {
    const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id, username, reseller, disabled } = await requireUser(db, usernameArgument)
      await actAsReseller(db, reseller)
      if (!disabled) await updateUser(db, id, { disabled_at: deps.clock() })
      await actAsSystem(db)
      const ended = await endOtherSessions(db, id, null, 'disabled', deps.clock())
      await auditOperator(db, deps, 'user.disabled', { resellerId: reseller, subject: `user ${id}` })
      return { id, username, disabled: true, sessionsEnded: ended.length }
    })
    return printRecord(io, user, `User ${user.username} is disabled; sessions ended: ${user.sessionsEnded}.`)
  },
})

export const userEnableCommand = command({
  name: 'user enable',
  about: 'let a disabled user sign in again',
  arguments: { username: 'text' },
  run: async (deps, io, { username: usernameArgument }) => {
    const user = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id, username, reseller } = await requireUser(db, usernameArgument)
      await actAsReseller(db, reseller)
      await updateUser(db, id, { disabled_at: null })
      await auditOperator(db, deps, 'user.enabled', { resellerId: reseller, subject: `user ${id}` })
      return { id, username, disabled: false }
    })
    return printRecord(io, user, `User ${user.username} may sign in again.`)
  },
})

/** Makes the error for a username that is taken. Throws nothing. */
const usernameTaken = (name: string): OperatorError =>
  new OperatorError(`The username ${name} is taken; usernames are unique in the installation.`)

/** Runs the work. @throws OperatorError about --external-id in place of a unique violation; other errors go on */
const rejectTakenExternalId = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    throw new OperatorError('--external-id: another user of this reseller has it.', { cause: error })
  }
}

/** The user of a username, disabled or not. As counterfoil_system. @throws OperatorError when there is none */
export const requireUser = async (db: Db, username: string) => {
  const user = await findUserByUsername(db, username.trim())
  if (user === undefined) throw new OperatorError(`There is no user ${quoteValue(username)}.`)
  return user
}

/** The ids of the customers that --customer names, in order and each once. @throws OperatorError for one that the reseller does not have */
export const findCustomerIds = async (db: Db, refs: readonly string[] | undefined, resellerId: number): Promise<number[]> => {
  const ids: number[] = []
  for (const customerRef of refs ?? []) ids.push((await requireCustomer(db, customerRef, resellerId)).id)
  return [...new Set(ids)]
}

/** The password in the file that an option names; undefined without one. @throws OperatorError when it is too weak or not text */
const readPasswordOption = async (
  io: CommandIo,
  path: string | undefined,
  personalWords: readonly string[],
): Promise<string | undefined> => {
  return path === undefined ? undefined : readPassword(await io.openFile(path), personalWords)
}
