import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'
import { findReseller, parseIdOrName, onlyMatch } from '../../imports/find-reseller.ts'
import type { NamedRecord } from '../../imports/resellers.queries.ts'
import { findBrandsByRef, findCustomersByRef, type TenantRecord } from './tenants.queries.ts'

/** The reseller of this id or name. As counterfoil_system. @throws OperatorError when there is none, or several */
export const requireReseller = async (db: Db, ref: string): Promise<NamedRecord> => {
  const reseller = await findReseller(db, ref)
  if (reseller === undefined) throw new OperatorError(`There is no reseller named ${quoteValue(ref)}.`)
  return reseller
}

/** The id of the reseller that an option names; undefined when it is not given. @throws OperatorError when there is none, or several */
export const findResellerId = async (db: Db, ref: string | undefined): Promise<number | undefined> =>
  ref === undefined ? undefined : (await requireReseller(db, ref)).id

/**
 * The brand of this id or name. As counterfoil_system.
 * @throws OperatorError when there is none, several, or it is brand 0, which belongs to nobody
 */
export const requireBrand = async (db: Db, ref: string, resellerId?: number): Promise<TenantRecord> => {
  const matches = await findBrandsByRef(db, parseIdOrName(ref), resellerId)
  const match = onlyMatch('brand', ref, matches)
  if (match === undefined) throw new OperatorError(`There is no brand named ${quoteValue(ref)}.`)
  if (match.id === 0) throw new OperatorError('Brand 0 stands in where another is missing; it belongs to nobody and is not changed.')
  return matches[0] as TenantRecord
}

/** The customer of this external id or id. As counterfoil_system. @throws OperatorError when there is none, or several */
export const requireCustomer = async (db: Db, ref: string, resellerId?: number): Promise<TenantRecord> => {
  const [customer, ...others] = await findCustomersByRef(db, ref.trim(), resellerId)
  if (customer === undefined)
    throw new OperatorError(`There is no customer ${quoteValue(ref)}${resellerId === undefined ? '' : ' of this reseller'}.`)
  if (others.length > 0)
    throw new OperatorError(
      `Several resellers have a customer ${quoteValue(ref)}; give its id: ${[customer, ...others].map(({ id }) => id).join(', ')}.`,
    )
  return customer
}
