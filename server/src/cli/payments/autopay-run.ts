import { OperatorError } from '../../kit/api-error.ts'
import { type AutopayResult, runAutopay } from '../../payments/engine/autopay.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { command, flag } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { findResellers, ONE_RESELLER, toDecimal, toPaymentsDeps } from './command-support.ts'

type Outcome = AutopayResult['outcome']

export const autopayRunCommand = command({
  name: 'autopay run',
  about: 'charge what is due by the default methods; may be run again at any time',
  options: { reseller: ONE_RESELLER, dryRun: flag('say what would be charged, and charge nothing') },
  run: async (deps, io, _, options) => {
    const isDry = options.dryRun === true
    let code = 0
    const payments: (Omit<AutopayResult, 'amountMinor'> & { resellerId: number; amount: string })[] = []
    for (const resellerId of await findResellers(deps, options)) {
      const results: AutopayResult[] = []
      const onResult = (result: AutopayResult): void => {
        results.push(result)
        if (!io.json) io.out(formatResult(resellerId, result))
      }
      const outcome = await runAutopay(toPaymentsDeps(deps), resellerId, { isDry, onResult })
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
      payments.push(
        ...results.map(({ amountMinor, ...result }) => ({ ...result, resellerId, amount: toDecimal(amountMinor, result.currency) })),
      )
    }
    if (io.json) io.out(JSON.stringify({ dryRun: isDry, counts: countOutcomes(payments), payments }))
    else io.out(payments.length === 0 ? 'Nothing is due.' : `${isDry ? 'Nothing was charged: ' : ''}${formatCounts(payments)}.`)
    return code
  },
})

/** What to do about a reseller whose customers cannot be charged yet. */
const notChosenText = (resellerId: number): string =>
  `Reseller ${resellerId}: nobody was charged, because nobody has chosen yet whether customers must allow it. Say so: counterfoil reseller payments set ${resellerId} --ask-permission on, or off.`

const formatResult = (resellerId: number, { customerId, currency, amountMinor, invoices, outcome, reason }: AutopayResult): string =>
  `${outcome}  reseller ${resellerId}  customer ${customerId}  ${toDecimal(amountMinor, currency)} ${currency}  ${invoices.join(', ')}${reason === null ? '' : `  (${reason})`}`

const countOutcomes = (results: readonly { outcome: Outcome }[]): Partial<Record<Outcome, number>> => {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const formatCounts = (results: readonly { outcome: Outcome }[]): string =>
  Object.entries(countOutcomes(results))
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
