import type { Command } from './command.ts'
import { paymentsLookUpCommand, paymentsQueueCommand, paymentsSettleCommand, paymentsShowCommand } from './payments-desk.ts'
import { resellerPaymentsRotateCommand, resellerPaymentsSetCommand, resellerPaymentsTestCommand } from './reseller-payments.ts'

/** The commands about money, by the name under which they travel to a running server. */
export const PAYMENT_COMMANDS: Readonly<Record<string, Command>> = {
  'payments queue': paymentsQueueCommand,
  'payments show': paymentsShowCommand,
  'payments look-up': paymentsLookUpCommand,
  'payments settle': paymentsSettleCommand,
  'reseller payments set': resellerPaymentsSetCommand,
  'reseller payments test': resellerPaymentsTestCommand,
  'reseller payments rotate-secret': resellerPaymentsRotateCommand,
}
