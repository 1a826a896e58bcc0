import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Discrepancy } from '../../payments/reconciliation/discrepancies.rules.ts'
import { dismissDiscrepancies } from '../../payments/reconciliation/discrepancies.queries.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { reconcile, DEFAULT_DAYS } from '../../payments/reconciliation/reconcile.ts'
import type { Command } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { decimal, given, paymentsDeps, resellerMeant, resellersMeant, tell } from './command-support.ts'

/** `counterfoil payments reconcile [--reseller R] [--days N]`: exit code 1 when something is left that a person must look at. */
export const paymentsReconcileCommand: Command = async (context, io, _, options) => {
  const days = given(options, 'days') ?? String(DEFAULT_DAYS)
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1) throw new OperatorError('How far back (--days) is a number from 1 to 999.')
  const reconciled: Awaited<ReturnType<typeof reconciledOne>> = []
  for (const resellerId of await resellersMeant(context, options))
    reconciled.push(...(await reconciledOne(context, resellerId, Number(days))))
  const isLeft = reconciled.some(({ drifts }) => drifts.some(({ isMended, isDismissed }) => !isMended && !isDismissed))
  tell(io, { reconciled }, () =>
    reconciled.flatMap(({ resellerId, provider, ours, theirs, drifts }) => [
      `Reseller ${resellerId}, ${provider}: ${ours} of ours and ${theirs} of theirs compared, ${drifts.length} found to differ`,
      ...drifts.map((drift) => `  ${driftText(drift)}${driftEnd(drift)}`),
    ]),
  )
  return isLeft ? 1 : 0
}

const driftEnd = ({ isMended, isDismissed }: { isMended: boolean; isDismissed: boolean }): string =>
  isMended ? '  mended by looking it up' : isDismissed ? '  dismissed before' : ''

const reconciledOne = async (context: AppContext, resellerId: number, days: number) => {
  const done = await reconcile(paymentsDeps(context), resellerId, days).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : 'it did not answer'
    throw new OperatorError(`The payment company of reseller ${resellerId} could not be asked for its list: ${why}`, { cause: error })
  })
  const found = done.flatMap(({ discrepancies: drifts }) => drifts)
  if (done.length > 0)
    await transactAsReseller(paymentsDeps(context), resellerId, (db) =>
      auditOperator(db, context, 'payments.reconciled', {
        resellerId,
        subject: `reseller ${resellerId}`,
        detail: `${found.length} found to differ`,
      }),
    )
  return done.map(({ discrepancies: drifts, ...one }) => ({
    resellerId,
    ...one,
    drifts: drifts.map(({ isResolved: isMended, isDismissed, ...drift }) => ({
      ...driftFacts({ ...drift, resellerId }),
      isMended,
      isDismissed,
    })),
  }))
}

/** `counterfoil payments dismiss REFERENCE --reseller R --reason W`: a difference that was dealt with elsewhere. */
export const paymentsDismissCommand: Command = async (context, io, [reference = ''], options) => {
  const [reseller = '', reason = ''] = [given(options, 'reseller'), given(options, 'reason')]
  if (reason === '' || reason.length > 500 || /\p{C}/u.test(reason))
    throw new OperatorError('Say how it was dealt with (--reason), in 1 to 500 characters.')
  const resellerId = await resellerMeant(context, reseller)
  const dismissed = await transactAsReseller(paymentsDeps(context), resellerId, async (db) => {
    const count = await dismissDiscrepancies(db, resellerId, reference, reason, context.clock())
    if (count > 0)
      await auditOperator(db, context, 'payments.drift-dismissed', { resellerId, subject: `payment ${reference}`, detail: reason })
    return count
  })
  if (dismissed === 0) throw new OperatorError(`No difference in the queue has the reference ${reference}.`)
  tell(io, { dismissed }, () => [`${reference} is out of the queue.`])
  return 0
}

type Found = Omit<Discrepancy, 'kind'> & { readonly kind: string; readonly resellerId: number }

/** A difference as it is said: amounts exact, nothing where one side has nothing. */
export const driftFacts = ({ kind, resellerId, customerId, attemptId, providerRef, currency, oursMinor, theirsMinor }: Found) => ({
  kind,
  resellerId,
  customerId,
  attemptId,
  reference: providerRef,
  currency,
  ours: oursMinor === null ? null : decimal(oursMinor, currency),
  theirs: theirsMinor === null ? null : decimal(theirsMinor, currency),
})

/** The same in one line. */
export const driftText = ({ kind, resellerId, reference, currency, ours, theirs }: ReturnType<typeof driftFacts>): string =>
  `${reference}  reseller ${resellerId}  ${kind}: ${ours ?? 'nothing'} here, ${theirs ?? 'nothing'} there (${currency})`
