import type { Agreement } from '@counterfoil/contract/agreements'
import type { Day } from '@counterfoil/contract/kit/day'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

const MAX_AGREEMENTS = 5_000
/** A century of months. */
const MAX_PERIODS = 1_200

/** Lists the customer's agreements, by name. */
export const listAgreements = (db: Db, scope: CustomerScope): Promise<Agreement[]> =>
  db
    .selectFrom('agreement')
    .select(['id', 'name as agreementName'])
    .where(scope.owns('agreement'))
    .orderBy('name')
    .orderBy('id')
    .limit(MAX_AGREEMENTS)
    .execute()

/** True when the customer has an agreement with this id. */
export const hasAgreement = async (db: Db, scope: CustomerScope, id: number): Promise<boolean> =>
  (await db.selectFrom('agreement').select('id').where(scope.owns('agreement')).where('id', '=', id).executeTakeFirst()) !== undefined

export interface PeriodRow {
  readonly id: number
  readonly startsOn: Day
  readonly endsOn: Day
}

/**
 * Lists the billing periods of an agreement, newest first: its own and those that belong to no agreement and so to all of the customer's.
 */
export const listPeriodRows = (db: Db, scope: CustomerScope, agreementId: number): Promise<PeriodRow[]> =>
  db
    .selectFrom('billing_period')
    .select(['id', 'starts_on as startsOn', 'ends_on as endsOn'])
    .where(scope.owns('billing_period'))
    .where((eb) => eb.or([eb('agreement_id', '=', agreementId), eb('agreement_id', 'is', null)]))
    .orderBy('starts_on', 'desc')
    .orderBy('ends_on', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_PERIODS)
    .execute()
