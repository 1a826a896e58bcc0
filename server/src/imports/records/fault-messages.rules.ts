import { type RejectedRow, quoteValue } from '../bad-row.ts'
import type { ImportKind } from './kind.rules.ts'
import { faultReason } from '../staging/row-report.ts'
import type { StagedFault } from './record-staging.queries.ts'

const RESELLER_REFERENCES = /^(customer|brand|service)$/

/** A bad line with all its reasons, as sentences for the file's author. */
export const toRejectedRow = (kind: ImportKind, { line, reason, fault, named }: StagedFault): RejectedRow => ({
  line,
  reason: reason ?? faultReason(fault ?? '', named ?? '', (one, about) => faultMessage(kind, one, about)),
})

/** The sentence for one fault of a staged line. */
const faultMessage = (kind: ImportKind, fault: string, named: string): string => {
  if (fault === 'twin') return `line ${named} is about the same one and says something else`
  const [what = '', field = ''] = fault.split(':')
  if (what === 'digits') return `${field}: ${quoteValue(named)} has more decimals than the currency`
  const check = what === 'check' ? kind.checks[Number(field)] : undefined
  if (check !== undefined) return check.message(named)
  const isSeveral = fault.endsWith('s')
  const name = isSeveral ? fault.slice(0, -1) : fault
  const owner = RESELLER_REFERENCES.test(name) ? 'the reseller' : 'the customer'
  return isSeveral
    ? `${name}: ${owner} has more than one ${quoteValue(named)}; name its external id`
    : `${name}: ${owner} has no ${name} ${quoteValue(named)}`
}
