import { type RejectedRow, quoteValue } from '../bad-row.ts'
import { faultReason } from '../staging/row-report.ts'
import type { Fault, StagedFault } from './usage-staging.queries.ts'

const MESSAGES: Readonly<Record<Fault, (named: string) => string>> = {
  line: (reason) => reason,
  customer: (named) => `customer: the reseller has no customer ${quoteValue(named)}`,
  service: (named) => `service: the reseller has no service ${quoteValue(named)}`,
  services: (named) => `service: the reseller has more than one ${quoteValue(named)}; name its external id`,
  recordType: (named) => `recordType: the service has no record type ${quoteValue(named)}`,
  recordTypes: (named) => `recordType: the service has more than one ${quoteValue(named)}; name its external id`,
  agreement: (named) => `agreement: the customer has no agreement ${quoteValue(named)}`,
  agreements: (named) => `agreement: the customer has more than one ${quoteValue(named)}; name its external id`,
  serviceItem: (named) => `serviceItem: the customer has no ${quoteValue(named)} of this service`,
  serviceItems: (named) => `serviceItem: the customer has more than one ${quoteValue(named)} of this service; name its external id`,
  externalId: (line) => `externalId: line ${line} has the same one and says something else`,
  otherValues: (difference) => `externalId: it is repeated with other values: ${difference}`,
}

/** A faulty row with all its reasons, as sentences for the person who has the file. */
export const toRejectedRow = ({ line, fault, named }: StagedFault): RejectedRow => ({
  line,
  reason: faultReason(fault, named, (one, about) => MESSAGES[one as Fault](about)),
})
