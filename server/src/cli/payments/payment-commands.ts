import { autopayRunCommand } from './autopay-run.ts'
import type { Command } from '../command.ts'
import { eventsCommand } from './events.ts'
import { paymentsLookUpCommand, paymentsQueueCommand, paymentsSettleCommand, paymentsShowCommand } from './review-queue.ts'
import { paymentsDismissCommand, paymentsReconcileCommand } from './reconcile.ts'
import { resellerPaymentsRotateCommand, resellerPaymentsSetCommand, resellerPaymentsTestCommand } from './reseller-payments.ts'

/** The payment commands, by the name under which they are sent to a running server. */
export const PAYMENT_COMMANDS: Readonly<Record<string, Command>> = {
  'payments queue': paymentsQueueCommand,
  'payments show': paymentsShowCommand,
  'payments look-up': paymentsLookUpCommand,
  'payments settle': paymentsSettleCommand,
  'payments reconcile': paymentsReconcileCommand,
  'payments dismiss': paymentsDismissCommand,
  'autopay run': autopayRunCommand,
  events: eventsCommand,
  'reseller payments set': resellerPaymentsSetCommand,
  'reseller payments test': resellerPaymentsTestCommand,
  'reseller payments rotate-secret': resellerPaymentsRotateCommand,
}
