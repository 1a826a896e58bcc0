import { unsuccessfulError } from '../api/authorize-error.ts'
import { type Fields, textOf } from '../api/fields.ts'
import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import { accountTypeOf, maskedNumber } from '../payment-methods/instrument.ts'
import { randomText } from '../store/digest.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { decide, declinedDecision, numberProblem } from '../transactions/decide.ts'
import type { Decision } from '../transactions/transaction.ts'
import type { CustomerProfile, PaymentProfile } from './profile.ts'

/** What is checked, and how. */
interface Validation {
  readonly mode: string
  readonly customer: Partial<CustomerProfile>
  readonly profile: Pick<PaymentProfile, 'instrument' | 'billTo'>
  readonly forcedOutcome: ForcedOutcome | undefined
}

/**
 * The direct response of a validation; undefined in the mode `none`, in which nothing is checked.
 * @throws AuthorizeError with E00027 and the direct response, under a name of the caller's choice, when the method is not accepted
 */
export const validatePaymentProfile = (
  session: AuthorizeSession,
  validation: Validation,
  toBody: (directResponse: string) => Fields,
): string | undefined => {
  if (validation.mode === 'none' && validation.forcedOutcome !== 'decline') return undefined
  const decision = validationDecision(session, validation)
  const directResponse = toDirectResponse(session, validation, decision)
  if (decision.responseCode !== '1') throw unsuccessfulError(decision.reason, toBody(directResponse))
  return directResponse
}

/** The decision about a charge of zero: a forced decline, wrong numbers, else the test triggers; `testMode` never declines. */
const validationDecision = (session: AuthorizeSession, { mode, profile, forcedOutcome }: Validation): Decision => {
  if (forcedOutcome === 'decline') return declinedDecision()
  const { instrument, billTo } = profile
  const problem = numberProblem({ instrument, now: session.now })
  if (problem !== undefined) return problem
  // In the mode testMode no decline can happen.
  const isTestMode = mode === 'testMode' || session.isTestMode
  return decide({ instrument, amount: 0, zip: textOf(billTo, 'zip'), now: session.now, isTestMode })
}

const SUBCODES: Readonly<Record<string, string>> = { '1': '1', '2': '1', '3': '2' }
const FIELD_COUNT = 68

/** The comma-separated response of FIELD_COUNT places, of which each has its meaning. */
const toDirectResponse = (session: AuthorizeSession, { mode, customer, profile }: Validation, decision: Decision): string => {
  const { instrument, billTo } = profile
  const isStored = decision.responseCode !== '3' && mode !== 'testMode' && !session.isTestMode
  const address = ['firstName', 'lastName', 'company', 'address', 'city', 'state', 'zip', 'country', 'phoneNumber', 'faxNumber']
  const fields = Array.from({ length: FIELD_COUNT }, () => '')
  const start = [
    decision.responseCode,
    SUBCODES[decision.responseCode] ?? '1',
    decision.reasonCode,
    decision.reason,
    decision.authCode,
    decision.avs,
    isStored ? session.newId() : '0',
    'none',
    'Test transaction for ValidateCustomerPaymentProfile.',
    mode === 'testMode' ? '1.00' : instrument.kind === 'card' ? '0.00' : '0.01',
    instrument.kind === 'card' ? 'CC' : 'ECHECK',
    'auth_only',
    customer.merchantCustomerId ?? 'none',
    ...address.map((name) => textOf(billTo, name) ?? ''),
    customer.email ?? '',
  ]
  fields.splice(0, start.length, ...start.map(withoutCommas))
  fields.splice(32, 6, '0.00', '0.00', '0.00', 'FALSE', 'none', randomText(32))
  fields.splice(38, 2, decision.cvv, instrument.kind === 'card' && isStored ? '2' : '')
  fields.splice(50, 2, maskedNumber(instrument), instrument.kind === 'card' ? accountTypeOf(instrument) : 'Bank Account')
  return fields.join(',')
}

/** The text with a space for each comma. */
const withoutCommas = (value: string): string => value.replaceAll(',', ' ')
