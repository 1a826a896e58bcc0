import { type RejectedRow, shown } from '../bad-row.ts'
import type { Fault, StagedFault } from './usage-staging.queries.ts'

const WORDS: Readonly<Record<Fault, (named: string) => string>> = {
  line: (reason) => reason,
  customer: (named) => `customer: the reseller has no customer ${shown(named)}`,
  service: (named) => `service: the reseller has no service ${shown(named)}`,
  services: (named) => `service: the reseller has more than one ${shown(named)}; name its external id`,
  recordType: (named) => `recordType: the service has no record type ${shown(named)}`,
  recordTypes: (named) => `recordType: the service has more than one ${shown(named)}; name its external id`,
  agreement: (named) => `agreement: the customer has no agreement ${shown(named)}`,
  agreements: (named) => `agreement: the customer has more than one ${shown(named)}; name its external id`,
  serviceItem: (named) => `serviceItem: the customer has no ${shown(named)} of this service`,
  serviceItems: (named) => `serviceItem: the customer has more than one ${shown(named)} of this service; name its external id`,
  externalId: (line) => `externalId: line ${line} has the same one and says something else`,
}

/** What stands in the way of a row, in words for the person who has the file. */
export const rejectedRow = ({ line, fault, named }: StagedFault): RejectedRow => ({ line, reason: WORDS[fault](named) })
