import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { shown } from '../../imports/bad-row.ts'
import { findReseller, idOrName, theOne } from '../../imports/find-reseller.ts'
import type { Named } from '../../imports/resellers.queries.ts'
import { brandsCalled, customersCalled, type Found } from './tenants.queries.ts'

/** The reseller of this id or name. As counterfoil_system. @throws OperatorError when there is none, or several */
export const reseller = async (db: Db, wanted: string): Promise<Named> => {
  const found = await findReseller(db, wanted)
  if (found === undefined) throw new OperatorError(`There is no reseller named ${shown(wanted)}.`)
  return found
}

/**
 * The brand of this id or name. As counterfoil_system.
 * @throws OperatorError when there is none, several, or it is brand 0, which belongs to nobody
 */
export const brand = async (db: Db, wanted: string, resellerId?: number): Promise<Found> => {
  const meant = idOrName(wanted)
  const found = await brandsCalled(db, meant, resellerId)
  const one = theOne('brand', wanted, found)
  if (one === undefined) throw new OperatorError(`There is no brand named ${shown(wanted)}.`)
  if (one.id === 0) throw new OperatorError('Brand 0 stands in where another is missing; it belongs to nobody and is not changed.')
  return found[0] as Found
}

/** The customer of this external id or id. As counterfoil_system. @throws OperatorError when there is none, or several */
export const customer = async (db: Db, wanted: string, resellerId?: number): Promise<Found> => {
  const [one, ...others] = await customersCalled(db, wanted.trim(), resellerId)
  if (one === undefined)
    throw new OperatorError(`There is no customer ${shown(wanted)}${resellerId === undefined ? '' : ' of this reseller'}.`)
  if (others.length > 0)
    throw new OperatorError(
      `Several resellers have a customer ${shown(wanted)}; give its id: ${[one, ...others].map(({ id }) => id).join(', ')}.`,
    )
  return one
}
