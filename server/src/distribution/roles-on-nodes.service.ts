import type { Store } from '../db/database.ts'
import { changeRights, ROLES } from '../db/roles.ts'
import { OperatorError } from '../kit/api-error.ts'
import { allowLogin, rolesToChange } from './distributed-tables.queries.ts'
import { signInTroubles } from './distribution-troubles.service.ts'
import { askNodes } from './nodes.queries.ts'
import { assertNoTroubles } from './troubles/trouble.ts'

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

/** Gives the connected user the roles on every node, where some grants of the coordinator do not arrive. */
const grantRolesOnNodes = async (store: Store): Promise<void> => {
  const answers = await store.transact({ role: 'owner' }, (db) =>
    askNodes(db, `grant ${ROLES.join(', ')} to current_user with inherit false, set true`),
  )
  const failed = answers.find(({ isDone }) => !isDone)
  if (failed !== undefined) throw new OperatorError(`${failed.node} does not grant the roles to the user of DATABASE_URL: ${failed.text}`)
}
