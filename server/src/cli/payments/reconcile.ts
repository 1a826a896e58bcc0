import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Discrepancy } from '../../payments/reconciliation/discrepancies.rules.ts'
import { dismissDiscrepancies } from '../../payments/reconciliation/discrepancies.queries.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { reconcile, DEFAULT_DAYS } from '../../payments/reconciliation/reconcile.ts'
import type { Command } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { toDecimal, readOption, toPaymentsDeps, requireReseller, findResellers, printResult } from './command-support.ts'

/** `counterfoil payments reconcile [--reseller R] [--days N]`: exit code 1 when something is left for review. */
export const paymentsReconcileCommand: Command = async (context, io, _, options) => {
  const days = readOption(options, 'days') ?? String(DEFAULT_DAYS)
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1) throw new OperatorError('How far back (--days) is a number from 1 to 999.')
  const reconciled: Awaited<ReturnType<typeof reconcileReseller>> = []
  for (const resellerId of await findResellers(context, options))
    reconciled.push(...(await reconcileReseller(context, resellerId, Number(days))))
  const needsReview = reconciled.some(({ drifts }) => drifts.some(({ isMended, isDismissed }) => !isMended && !isDismissed))
  printResult(io, { reconciled }, () =>
    reconciled.flatMap(({ resellerId, provider, ours, theirs, drifts }) => [
      `Reseller ${resellerId}, ${provider}: ${ours} of ours and ${theirs} of theirs compared, ${drifts.length} found to differ`,
      ...drifts.map((discrepancy) => `  ${formatDiscrepancy(discrepancy)}${formatResolution(discrepancy)}`),
    ]),
  )
  return needsReview ? 1 : 0
}

const formatResolution = ({ isMended, isDismissed }: { isMended: boolean; isDismissed: boolean }): string =>
  isMended ? '  mended by looking it up' : isDismissed ? '  dismissed before' : ''

const reconcileReseller = async (context: AppContext, resellerId: number, days: number) => {
  const reconciliations = await reconcile(toPaymentsDeps(context), resellerId, days).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'it did not answer'
    throw new OperatorError(`The payment company of reseller ${resellerId} could not be asked for its list: ${reason}`, { cause: error })
  })
  const discrepancies = reconciliations.flatMap(({ discrepancies: drifts }) => drifts)
  if (reconciliations.length > 0)
    await transactAsReseller(toPaymentsDeps(context), resellerId, (db) =>
      auditOperator(db, context, 'payments.reconciled', {
        resellerId,
        subject: `reseller ${resellerId}`,
        detail: `${discrepancies.length} found to differ`,
      }),
    )
  return reconciliations.map(({ discrepancies: drifts, ...one }) => ({
    resellerId,
    ...one,
    drifts: drifts.map(({ isResolved: isMended, isDismissed, ...discrepancy }) => ({
      ...toShownDiscrepancy({ ...discrepancy, resellerId }),
      isMended,
      isDismissed,
    })),
  }))
}

/** `counterfoil payments dismiss REFERENCE --reseller R --reason W`: dismisses a discrepancy that was resolved elsewhere. */
export const paymentsDismissCommand: Command = async (context, io, [reference = ''], options) => {
  const [reseller = '', reason = ''] = [readOption(options, 'reseller'), readOption(options, 'reason')]
  if (reason === '' || reason.length > 500 || /\p{C}/u.test(reason))
    throw new OperatorError('Say how it was dealt with (--reason), in 1 to 500 characters.')
  const resellerId = await requireReseller(context, reseller)
  const dismissed = await transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => {
    const count = await dismissDiscrepancies(db, resellerId, reference, reason, context.clock())
    if (count > 0)
      await auditOperator(db, context, 'payments.drift-dismissed', { resellerId, subject: `payment ${reference}`, detail: reason })
    return count
  })
  if (dismissed === 0) throw new OperatorError(`No difference in the queue has the reference ${reference}.`)
  printResult(io, { dismissed }, () => [`${reference} is out of the queue.`])
  return 0
}

type ShownDiscrepancy = Omit<Discrepancy, 'kind'> & { readonly kind: string; readonly resellerId: number }

/** A discrepancy with exact amounts; null for nothing. */
export const toShownDiscrepancy = ({
  kind,
  resellerId,
  customerId,
  attemptId,
  providerRef,
  currency,
  oursMinor,
  theirsMinor,
}: ShownDiscrepancy) => ({
  kind,
  resellerId,
  customerId,
  attemptId,
  reference: providerRef,
  currency,
  ours: oursMinor === null ? null : toDecimal(oursMinor, currency),
  theirs: theirsMinor === null ? null : toDecimal(theirsMinor, currency),
})

export const formatDiscrepancy = ({ kind, resellerId, reference, currency, ours, theirs }: ReturnType<typeof toShownDiscrepancy>): string =>
  `${reference}  reseller ${resellerId}  ${kind}: ${ours ?? 'nothing'} here, ${theirs ?? 'nothing'} there (${currency})`
