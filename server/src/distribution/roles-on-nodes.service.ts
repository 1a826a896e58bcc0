import type { Db, Store } from '../db/database.ts'
import { changeRights, ROLES } from '../db/roles.ts'
import { OperatorError } from '../kit/api-error.ts'
import { allowLogin, rolesToChange } from './distributed-tables.queries.ts'
import { signInTroubles } from './distribution-troubles.service.ts'
import { askNodes, type NodeAnswer } from './nodes.queries.ts'
import { assertNoTroubles } from './troubles/trouble.ts'

/** Each node makes its own, and tells no other one. Where the owner may not let one in, `signInTroubles` says what an administrator does. */
const makeRoles = ROLES.map(
  (role) => `do $do$ begin
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login; end if;
    if not (select rolcanlogin from pg_roles where rolname = '${role}') then alter role ${role} login; end if;
  exception when insufficient_privilege then null; end $do$`,
)

const askEach = async (db: Db, statements: readonly string[]): Promise<NodeAnswer[]> => {
  const answers: NodeAnswer[] = []
  for (const statement of statements) answers.push(...(await askNodes(db, statement)))
  return answers
}

/** Lets the roles sign in on every node. @throws OperatorError where an administrator must do so */
export const letRolesIn = async (store: Store): Promise<void> => {
  await setLogin(store, true)
  await grantRolesOnNodes(store)
  assertNoTroubles(await signInTroubles(store))
}

/** Lets the roles sign in, or not. @throws OperatorError where the connected user may not say so */
export const setLogin = async (store: Store, isAllowed: boolean): Promise<void> => {
  const roles = await store.transact({ role: 'owner' }, (db) => rolesToChange(db, ROLES, isAllowed))
  if (roles.length === 0) return
  await changeRights(store, (db) => allowLogin(db, roles, isAllowed)).catch((error: unknown) => {
    if ((error as { code?: string }).code !== '42501') throw error
    const statements = roles.map((role) => `alter role ${role} ${isAllowed ? 'login' : 'nologin'};`)
    throw new OperatorError(`Have an administrator run on the coordinator, then begin again:\n${statements.join('\n')}`, { cause: error })
  })
}

/**
 * Makes the roles on every node that lacks them: those that the coordinator had before it had Citus have not arrived there. And gives them to
 * the connected user, because some grants of the coordinator do not arrive.
 */
const grantRolesOnNodes = async (store: Store): Promise<void> => {
  const answers = await store.transact({ role: 'owner' }, (db) =>
    askEach(db, [...makeRoles, `grant ${ROLES.join(', ')} to current_user with inherit false, set true`]),
  )
  const failed = answers.find(({ isDone }) => !isDone)
  if (failed !== undefined) throw new OperatorError(`${failed.node} does not grant the roles to the user of DATABASE_URL: ${failed.text}`)
}
