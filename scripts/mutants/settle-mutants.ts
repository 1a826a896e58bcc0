import { mutantsOf, type Mutant } from './mutant.ts'

const ENGINE = 'src/payments/engine'
const FAULTS = 'test/payments/fault-injection'
const PAYMENTS = `${ENGINE}/payments.test.ts`
const OVERPAID = 'src/payments/ledger/overpaid.test.ts'
const DEBITS = `${ENGINE}/debits.test.ts`
const RETURNED = `${FAULTS}/returned-money.test.ts`
const MATRIX = `${FAULTS}/fault-matrix.test.ts`
const OUTDATED = `${FAULTS}/outdated-results.test.ts`
const INVOICE_PAYMENT = 'src/areas/invoice-payment/invoice-payment.test.ts'

/** Mistakes in how a payment is settled, and in who is looked up. */
export const SETTLE_MUTANTS: readonly Mutant[] = [
  ...mutantsOf(
    'engine/settle.ts',
    [DEBITS, PAYMENTS, OVERPAID, 'src/cli/payments/events.test.ts', 'src/cli/payments/refund.test.ts', INVOICE_PAYMENT, RETURNED, OUTDATED],
    [
      ['an outdated result is written', 'origin.version !== undefined && origin.version !== attempt.version', 'false'],
      [
        'a late yes leaves other payments at the bank',
        "if (hasPaid(transition.status) || transition.status === 'requires_action')",
        'if (false)',
      ],
      [
        'what an ended attempt claims stays claimed',
        'if (isLive(attempt.status) && !isLive(transition.status)) await setLive(db, attempt, false)',
        '',
      ],
      [
        'a pending debit leaves its invoice open',
        "if (attempt.isDebit && transition.status === 'processing') await setInCollection(db, attempt, true)",
        '',
      ],
      [
        'a failed debit stays in collection',
        'if (attempt.isDebit && !isLive(transition.status) && isLive(attempt.status)) await setInCollection(db, attempt, false)',
        '',
      ],
      [
        'a return is told of a payment that was never told',
        "if (status === 'reversed' && !attempt.isBooked) return isLive(attempt.status) ? 'payment.failed' : undefined",
        '',
      ],
      [
        'what had gone back before it was known is booked',
        "else if (transition.status === 'succeeded') {",
        "else if (transition.status !== 'expired') {",
      ],
      ['the billing engine is not told', 'await announceTransition(db, attempt, items, { ...transition, reason }, now)', 'false'],
      ['the second refund is not told', '${transition.refundedMinor} ${transition.reversedMinor}', ''],
      ['no receipt is mailed', 'if (attempt.receiptEmail !== null) await queueReceipt(db, attempt, now)', ''],
      ['a refund is not recorded', 'transition.refundedMinor - before.refundedMinor', '0'],
      ['a reversal is not recorded', 'transition.reversedMinor - before.reversedMinor', '0'],
      ['what comes again is recorded last', 'Math.sign(one.amountMinor) - Math.sign(other.amountMinor)', '0'],
      ['more comes again than the refunds had left', 'const before = toReturnedTotals(attempt, null)', 'const before = attempt'],
      ['the event does not tell what was overpaid', 'reduce((sum, minor) => sum + minor, 0)', 'reduce((sum) => sum, 0)'],
    ],
  ),
  ...mutantsOf(
    'engine/sweep.queries.ts',
    [OVERPAID, MATRIX, `${FAULTS}/payment-races.test.ts`],
    [
      ['an import gives up nothing', 'where i.live ${customerId', 'where false and i.live ${customerId'],
      ['an import gives up every payment', '(v.amount_due_minor <> i.amount_minor or v.status not in', '(true or v.status not in'],
      ['a payment at the bank waits for its next look-up', "case when a.status = 'requires_action' then", 'case when false then'],
    ],
  ),
]
