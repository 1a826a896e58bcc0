import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { CARD_LIKE } from '../../kit/card-number.ts'
import type { Discrepancy } from '../../payments/reconciliation/discrepancies.rules.ts'
import { dismissDiscrepancies } from '../../payments/reconciliation/discrepancies.queries.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { reconcile, DEFAULT_DAYS, reconciledUntil } from '../../payments/reconciliation/reconcile.ts'
import { command, OF_RESELLER, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { findResellers, printResult, requireReseller, toDecimal, toPaymentsDeps } from './command-support.ts'

export const paymentsReconcileCommand = command({
  name: 'payments reconcile',
  about: 'compare the ledger with the list of each payment provider; the worker does it daily',
  options: { reseller: OF_RESELLER, days: { ...textOption('number', 'how far back'), default: String(DEFAULT_DAYS) } },
  note: 'Exit code 1 when something is left that a person must look at, or an account could not be compared.',
  run: async (context, io, _, options) => {
    const days = options.days.trim()
    if (!/^\d{1,3}$/.test(days) || Number(days) < 1) throw new OperatorError('How far back (--days) is a number from 1 to 999.')
    const results: Awaited<ReturnType<typeof reconcileReseller>>[] = []
    for (const resellerId of await findResellers(context, options)) results.push(await reconcileReseller(context, resellerId, Number(days)))
    const [reconciled, failed] = [results.flatMap((result) => result.reconciled), results.flatMap((result) => result.failed)]
    const needsReview = reconciled.some(({ discrepancies }) =>
      discrepancies.some(({ isResolved, isDismissed }) => !isResolved && !isDismissed),
    )
    printResult(io, { reconciled: reconciled.map(toOutput), failed, until: reconciledUntil(context.clock()).toISOString() }, () => [
      ...reconciled.flatMap(({ ours, theirs, discrepancies, ...account }) => [
        `${formatAccount(account)}: ${ours} of ours and ${theirs} of theirs compared, ${discrepancies.length} discrepancies`,
        ...discrepancies.map((discrepancy) => `  ${formatDiscrepancy(discrepancy)}${formatResolution(discrepancy)}`),
      ]),
      ...failed.map(({ reason, ...account }) => `${formatAccount(account)}: not compared, it did not return its list: ${reason}`),
      'Payments of the last hour are left out: they may still be in progress.',
    ])
    return needsReview || failed.length > 0 ? 1 : 0
  },
})

/** How a discrepancy was dealt with, to stand behind its line; empty for one that is still open. */
const formatResolution = ({ isResolved, isDismissed }: { isResolved: boolean; isDismissed: boolean }): string =>
  isResolved ? '  resolved by a look-up' : isDismissed ? '  dismissed before' : ''

interface AccountOutput {
  readonly resellerId: number
  readonly provider: string
  readonly accountId: number
}

/** The beginning of a line about an account: whose it is, and at which provider. */
const formatAccount = ({ resellerId, provider, accountId }: AccountOutput): string =>
  `Reseller ${resellerId}, ${provider} (account ${accountId})`

const MAX_REASON_CHARACTERS = 300

/** The error's message in one line for people, cut to MAX_REASON_CHARACTERS, with what looks like a card number masked. */
const toReason = (error: unknown): string => {
  const text = error instanceof Error ? error.message.replaceAll(/[\p{C}\s]+/gu, ' ').trim() : ''
  return text === '' ? 'it did not answer' : text.replace(CARD_LIKE, '[number]').slice(0, MAX_REASON_CHARACTERS)
}

/**
 * Compares a reseller's ledger with its providers' lists, stores what differs, and writes an audit entry.
 * Accounts whose list did not come are in `failed`; nothing is thrown for them.
 */
const reconcileReseller = async (context: AppContext, resellerId: number, days: number) => {
  const { reconciled, failed } = await reconcile(toPaymentsDeps(context), resellerId, days)
  const discrepancies = reconciled.flatMap((reconciliation) => reconciliation.discrepancies)
  if (reconciled.length > 0)
    await transactAsReseller(toPaymentsDeps(context), resellerId, (db) =>
      auditOperator(db, context, 'payments.reconciled', {
        resellerId,
        subject: `reseller ${resellerId}`,
        detail: `${discrepancies.length} discrepancies`,
      }),
    )
  return {
    reconciled: reconciled.map((reconciliation) => ({
      ...reconciliation,
      resellerId,
      discrepancies: reconciliation.discrepancies.map(({ isResolved, isDismissed, ...discrepancy }) => ({
        ...toShownDiscrepancy({ ...discrepancy, resellerId }),
        isResolved,
        isDismissed,
      })),
    })),
    failed: failed.map(({ provider, accountId, error }) => ({ resellerId, provider, accountId, reason: toReason(error) })),
  }
}

/** The reconciliation of one account under the older field names of `--json`: `drifts` and `isMended`. */
const toOutput = ({ discrepancies, ...rest }: Awaited<ReturnType<typeof reconcileReseller>>['reconciled'][number]) => ({
  ...rest,
  drifts: discrepancies.map(({ isResolved, ...discrepancy }) => ({ ...discrepancy, isMended: isResolved })),
})

export const paymentsDismissCommand = command({
  name: 'payments dismiss',
  about: 'dismiss a discrepancy that was resolved elsewhere',
  arguments: { reference: 'text' },
  options: {
    reseller: requiredOption(textOption('name or id', 'whose it is')),
    reason: requiredOption(textOption('words', 'how; kept in the audit log')),
  },
  run: async (context, io, { reference }, options) => {
    const [reseller, reason] = [options.reseller.trim(), options.reason.trim()]
    if (reason === '' || reason.length > 500 || /\p{C}/u.test(reason))
      throw new OperatorError('Say how it was dealt with (--reason), in 1 to 500 characters.')
    const resellerId = await requireReseller(context, reseller)
    const dismissed = await transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => {
      const count = await dismissDiscrepancies(db, resellerId, reference, reason, context.clock())
      if (count > 0)
        await auditOperator(db, context, 'payments.drift-dismissed', { resellerId, subject: `payment ${reference}`, detail: reason })
      return count
    })
    if (dismissed === 0) throw new OperatorError(`No discrepancy in the queue has the reference ${reference}.`)
    return printResult(io, { dismissed }, () => [`${reference} is out of the queue.`])
  },
})

type ShownDiscrepancy = Omit<Discrepancy, 'kind'> & { readonly kind: string; readonly resellerId: number }

/** A discrepancy under the field names of commands. Amounts are decimal text; null where one side has no payment. */
export const toShownDiscrepancy = ({
  kind,
  resellerId,
  customerId,
  attemptId,
  merchantReference,
  providerRef,
  currency,
  oursMinor,
  theirsMinor,
}: ShownDiscrepancy) => ({
  kind,
  resellerId,
  customerId,
  attemptId,
  ourReference: merchantReference,
  reference: providerRef,
  currency,
  ours: oursMinor === null ? null : toDecimal(oursMinor, currency),
  theirs: theirsMinor === null ? null : toDecimal(theirsMinor, currency),
})

/** One line about a discrepancy: the amount here against that at the provider; of an overpayment, what was due against what was charged. */
export const formatDiscrepancy = ({
  kind,
  resellerId,
  reference,
  currency,
  ours,
  theirs,
}: ReturnType<typeof toShownDiscrepancy>): string => {
  const [here, there] = kind === 'overpaid' ? ['was due', 'was charged'] : ['here', 'there']
  return `${reference}  reseller ${resellerId}  ${kind}: ${ours ?? 'nothing'} ${here}, ${theirs ?? 'nothing'} ${there} (${currency})`
}
