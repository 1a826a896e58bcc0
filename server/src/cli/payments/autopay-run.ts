import { OperatorError } from '../../kit/api-error.ts'
import { type AutopayResult, runAutopay } from '../../payments/engine/autopay.ts'
import type { UnchargedInvoices } from '../../payments/engine/autopay.queries.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { command, flag, OF_RESELLER } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { findResellers, toDecimal, toPaymentsDeps } from './command-support.ts'

type Outcome = AutopayResult['outcome']

export const autopayRunCommand = command({
  name: 'autopay run',
  about: 'charge what is due by the default methods; may be run again at any time',
  options: { reseller: OF_RESELLER, dryRun: flag('say what would be charged, and charge nothing') },
  run: async (deps, io, _, options) => {
    const isDry = options.dryRun === true
    let code = 0
    const payments: ShownPayment[] = []
    const uncharged: (UnchargedInvoices & { resellerId: number })[] = []
    for (const resellerId of await findResellers(deps, options)) {
      const results: AutopayResult[] = []
      const onResult = (result: AutopayResult): void => {
        results.push(result)
        if (!io.json) io.out(formatResult(resellerId, result))
      }
      const onUncharged = (found: readonly UnchargedInvoices[]): void =>
        void uncharged.push(...found.map((invoices) => ({ ...invoices, resellerId })))
      const outcome = await runAutopay(toPaymentsDeps(deps), resellerId, { isDry, onUncharged, onResult })
      if (outcome === 'not-chosen') {
        io.err(notChosenText(resellerId))
        code = 1
      }
      if (outcome === 'no-payments' && options.reseller !== undefined)
        throw new OperatorError('The reseller takes no payments, or its account cannot be used: see reseller payments set.')
      if (results.length > 0 && !isDry)
        await transactAsReseller(toPaymentsDeps(deps), resellerId, (db) =>
          auditOperator(db, deps, 'autopay.run', { resellerId, subject: `reseller ${resellerId}`, detail: formatCounts(results) }),
        )
      payments.push(...results.map((result) => toShownPayment(resellerId, result)))
    }
    if (io.json) {
      const notCharged = uncharged.map(({ amountMinor, ...invoices }) => ({
        ...invoices,
        amount: toDecimal(amountMinor, invoices.currency),
      }))
      io.out(JSON.stringify({ dryRun: isDry, counts: countOutcomes(payments), payments, notCharged }))
      return code
    }
    for (const line of formatUncharged(uncharged)) io.out(line)
    if (payments.length > 0) io.out(`${isDry ? 'Nothing was charged: ' : ''}${formatCounts(payments)}.`)
    else if (uncharged.length === 0) io.out('Nothing is due.')
    return code
  },
})

/** The sentence about a reseller that has not chosen whether customers must allow autopay, with the command that chooses. */
const notChosenText = (resellerId: number): string =>
  `Reseller ${resellerId}: nobody was charged, because nobody has chosen yet whether customers must allow it. Say so: counterfoil reseller payments set ${resellerId} --ask-permission on, or off.`

interface ShownPayment extends Omit<AutopayResult, 'amountMinor' | 'feeMinor'> {
  readonly resellerId: number
  readonly amount: string
  /** What the method adds, and what is charged with it; null where nothing is charged. */
  readonly fee: string | null
  readonly total: string | null
}

/** A payment of autopay with its amounts as decimal text. `fee` and `total` are null where nothing was charged. */
const toShownPayment = (resellerId: number, { amountMinor, feeMinor, ...result }: AutopayResult): ShownPayment => ({
  ...result,
  resellerId,
  amount: toDecimal(amountMinor, result.currency),
  fee: feeMinor === null ? null : toDecimal(feeMinor, result.currency),
  total: feeMinor === null ? null : toDecimal(amountMinor + feeMinor, result.currency),
})

/** One line about a payment of autopay: outcome, whose, amount with fee, invoices and reason. */
const formatResult = (resellerId: number, result: AutopayResult): string => {
  const { customerId, currency, invoices, outcome, reason, amount, fee, total } = toShownPayment(resellerId, result)
  const charged = result.feeMinor ? `${amount} + ${fee} fee = ${total}` : amount
  return `${outcome}  reseller ${resellerId}  customer ${customerId}  ${charged} ${currency}  ${invoices.join(', ')}${reason === null ? '' : `  (${reason})`}`
}

const MAX_NAMED_CUSTOMERS = 20

/** A line for each reason for which due invoices are left alone: how many, and whose, as in "1 due, not allowed: C-1001". */
const formatUncharged = (uncharged: readonly UnchargedInvoices[]): string[] =>
  [...new Set(uncharged.map(({ reason }) => reason))].map((reason) => {
    const ofReason = uncharged.filter((one) => one.reason === reason)
    const count = ofReason.reduce((sum, { invoices }) => sum + invoices.length, 0)
    const customers = [...new Set(ofReason.map(({ externalId, customerId }) => externalId ?? `customer ${customerId}`))]
    const more = customers.length > MAX_NAMED_CUSTOMERS ? `, and ${customers.length - MAX_NAMED_CUSTOMERS} more` : ''
    return `${count} due, ${reason}: ${customers.slice(0, MAX_NAMED_CUSTOMERS).join(', ')}${more}`
  })

/** The number of payments by outcome. Outcomes that no payment had are left out. */
const countOutcomes = (results: readonly { outcome: Outcome }[]): Partial<Record<Outcome, number>> => {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** The number of payments by outcome as text, as in `3 paid, 1 declined`. */
const formatCounts = (results: readonly { outcome: Outcome }[]): string =>
  Object.entries(countOutcomes(results))
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
