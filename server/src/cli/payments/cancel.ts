import { OperatorError } from '../../kit/api-error.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { cancelPayment } from '../../payments/reconciliation/cancel-payment.ts'
import { command, flag } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { printResult, toPaymentsDeps } from './command-support.ts'
import { auditSubject, formatHistory, readHistory, requireAttemptKey } from './payment-output.ts'

export const paymentsCancelCommand = command({
  name: 'payments cancel',
  about: 'cancel a payment that has moved no money yet, such as a scheduled debit',
  arguments: { payment: 'text' },
  options: { yes: flag('do it without being asked') },
  note: 'Its invoices can be paid again. What the provider does not cancel any more stays as it is.',
  resolve: (context, { payment }) => requireAttemptKey(context, payment),
  confirm: ({ payment }) => `Cancel the payment ${payment}? It cannot be taken back.`,
  run: async (context, io, { payment: id }, options) => {
    if (options.yes !== true) throw new OperatorError('Nothing was cancelled: this cannot be taken back; say --yes to do it.')
    const key = await requireAttemptKey(context, id)
    const { status } = await cancelPayment(toPaymentsDeps(context), key)
    await transactAsReseller(toPaymentsDeps(context), key.resellerId, (db) =>
      auditOperator(db, context, 'payment.canceled', { ...auditSubject(key), after: status }),
    )
    const history = await readHistory(context, key)
    return printResult(io, history, () => ['The payment is cancelled.', ...formatHistory(history)])
  },
})
