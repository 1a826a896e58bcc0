import type { Day } from '@counterfoil/contract/kit/day'
import { type Period, periodsUntil } from './calendar.ts'
import { createRandom } from './random.ts'
import { type Connection, connectionsOf } from './connections.ts'
import { splitByWeight } from './exact-arithmetic.ts'
import type { CustomerProfile, ResellerProfile, Tax } from './profile.ts'
import { type Usage, usageOf } from './usage.ts'

/** A customer with everything that its invoices are derived from. */
export interface Account {
  readonly id: number
  readonly reseller: ResellerProfile
  readonly profile: CustomerProfile
  readonly taxes: readonly Tax[]
  readonly today: Day
  readonly periods: readonly Period[]
  readonly connections: readonly Connection[]
  readonly usage: Usage
}

export interface SeedOptions {
  readonly seed: number
  readonly today: Day
  /** Usage records of the reseller, all its customers together. */
  readonly usageRows: number
}

/** The demo customers of a reseller, the same for the same options. A customer's id is the reseller's id with two more digits. */
export const accountsOf = (reseller: ResellerProfile, { seed, today, usageRows }: SeedOptions): Account[] => {
  const usedNumbers: number[] = []
  const rows = splitByWeight(
    usageRows,
    reseller.customers.map(({ share }) => share),
  )
  return reseller.customers.map((profile, index) => {
    const id = reseller.id * 100 + index + 1
    const connections = connectionsOf(reseller, profile, id, createRandom(seed, `connections of ${id}`), usedNumbers)
    const usage = usageOf(reseller, connections, { today, rows: rows[index] ?? 0, random: createRandom(seed, `usage of ${id}`) })
    return { id, reseller, profile, taxes: profile.taxes ?? reseller.taxes, today, periods: periodsUntil(today), connections, usage }
  })
}

/** The id of the agreement that covers a service of the customer. */
export const agreementIdOf = ({ id, profile, reseller }: Account, serviceNo: number): number =>
  agreementId(id, Math.min(reseller.services[serviceNo]?.agreement ?? 0, profile.agreements.length - 1))

/** The id of a demo customer's agreement: the customer's id with a digit more. Indexes of all ids here count from 0. */
export const agreementId = (customerId: number, index: number): number => customerId * 10 + index + 1
/** The id of a demo customer's billing period: the customer's id with two digits more. */
export const periodId = (customerId: number, index: number): number => customerId * 100 + index + 1
/** The id of a demo reseller's service: the reseller's id with two digits more. */
export const serviceId = (resellerId: number, serviceNo: number): number => resellerId * 100 + serviceNo + 1
/** The id of a record type of a demo service: the service's id with a digit more. */
export const recordTypeId = (resellerId: number, serviceNo: number, recordNo: number): number =>
  serviceId(resellerId, serviceNo) * 10 + recordNo + 1
