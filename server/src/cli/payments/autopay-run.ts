import { OperatorError } from '../../kit/api-error.ts'
import { type AutopayResult, runAutopay } from '../../payments/engine/autopay.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import type { Command } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { decimal, given, paymentsDeps, resellersMeant } from './command-support.ts'

type Outcome = AutopayResult['outcome']

/** `counterfoil autopay run [--reseller R] [--dry-run]`: charges what is due of those who allow it, and says what it did. */
export const autopayRunCommand: Command = async (deps, io, _, options) => {
  const isDry = options['dryRun'] === true
  const payments: (Omit<AutopayResult, 'amountMinor'> & { resellerId: number; amount: string })[] = []
  for (const resellerId of await resellersMeant(deps, options)) {
    const lines: AutopayResult[] = []
    const tell = (line: AutopayResult): void => {
      lines.push(line)
      if (!io.json) io.out(lineText(resellerId, line))
    }
    const takesPayments = await runAutopay(paymentsDeps(deps), resellerId, { isDry, onResult: tell })
    if (!takesPayments && given(options, 'reseller') !== undefined)
      throw new OperatorError('The reseller takes no payments, or its account cannot be used: see reseller payments set.')
    if (lines.length > 0 && !isDry)
      await transactAsReseller(paymentsDeps(deps), resellerId, (db) =>
        auditOperator(db, deps, 'autopay.run', { resellerId, subject: `reseller ${resellerId}`, detail: countText(lines) }),
      )
    payments.push(...lines.map(({ amountMinor, ...line }) => ({ ...line, resellerId, amount: decimal(amountMinor, line.currency) })))
  }
  if (io.json) io.out(JSON.stringify({ dryRun: isDry, counts: counts(payments), payments }))
  else io.out(payments.length === 0 ? 'Nothing is due.' : `${isDry ? 'Nothing was charged: ' : ''}${countText(payments)}.`)
  return 0
}

const lineText = (resellerId: number, { customerId, currency, amountMinor, invoices, outcome, reason }: AutopayResult): string =>
  `${outcome}  reseller ${resellerId}  customer ${customerId}  ${decimal(amountMinor, currency)} ${currency}  ${invoices.join(', ')}${reason === null ? '' : `  (${reason})`}`

const counts = (lines: readonly { outcome: Outcome }[]): Partial<Record<Outcome, number>> => {
  const sums: Partial<Record<Outcome, number>> = {}
  for (const { outcome } of lines) sums[outcome] = (sums[outcome] ?? 0) + 1
  return sums
}

const countText = (lines: readonly { outcome: Outcome }[]): string =>
  Object.entries(counts(lines))
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
