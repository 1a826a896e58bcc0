import { mutantsOf, type Mutant } from './mutant.ts'

const ENGINE = 'src/payments/engine'
const FAULTS = 'test/payments/fault-injection'
const PAYMENTS = `${ENGINE}/payments.test.ts`
const CLAIM_TERMS = `${ENGINE}/claim-terms.test.ts`
const SHOWN_TOTAL = `${ENGINE}/shown-total.test.ts`
const OVERPAID = 'src/payments/ledger/overpaid.test.ts'
const DEBITS = `${ENGINE}/debits.test.ts`
const EVENTS = 'src/payments/webhooks/webhook-events.test.ts'
const TRANSITIONS = 'src/payments/attempts/transition.rules.test.ts'
const KNOWN_ISSUES = `${ENGINE}/known-issues.test.ts`
const MATRIX = `${FAULTS}/fault-matrix.test.ts`
const OUTDATED = `${FAULTS}/outdated-results.test.ts`
const LOOK_UPS = `${ENGINE}/look-up.test.ts`
const INVOICE_PAYMENT = 'src/areas/invoice-payment/invoice-payment.test.ts'
/** What every provider must do. */
const CONFORMANCE = ['test/payments/providers/conformance.test.ts', 'src/payments/providers/charge-permit.test.ts']
const STRIPE_CHARGING = 'src/payments/providers/stripe/stripe-charging.test.ts'

/** Mistakes in how a payment is claimed, submitted, looked up. */
export const ENGINE_MUTANTS: readonly Mutant[] = [
  ...mutantsOf(
    'engine/charge.ts',
    [PAYMENTS, OVERPAID, `${ENGINE}/another-card.test.ts`, MATRIX],
    [
      [
        'a repeated submission is charged again',
        "if (claim.kind === 'repeated') return waitForOutcome(deps, key)",
        '',
        'an attempt is marked as submitting once only, and whoever is second waits all the same',
      ],
      [
        'a payment that waits for its payer is never replaced',
        "(earlier.status !== 'requires_action' && earlier.status !== 'unknown')",
        'true',
      ],
    ],
  ),
  ...mutantsOf(
    'engine/submit-charge.ts',
    [...CONFORMANCE, OUTDATED, PAYMENTS, OVERPAID, MATRIX],
    [
      [
        'what changed while it was sent waits for its payer',
        "settled.status === 'requires_action' && settled.cancelRequestedAt !== null",
        'false',
      ],
      ['a refused fence is ignored', 'if (cause !== null) return NOT_SENT[cause]', ''],
      ['an error while charging counts as not sent', 'mayHaveMoved = true', 'mayHaveMoved = false'],
      ['what was prepared and not sent stays at the provider', 'await discardPrepared(deps, account, key, prepared)', ''],
    ],
  ),
  ...mutantsOf('providers/charge-permit.ts', CONFORMANCE, [
    ['a permit never expires', 'clock() < endsAt && elapsed() - elapsedMs < durationMs', 'true'],
    ['a permit does not know the clock on the wall', 'clock() < endsAt && ', ''],
    ['a permit does not know the monotonic clock', ' && elapsed() - elapsedMs < durationMs', ''],
  ]),
  ...mutantsOf(
    'engine/claim.ts',
    [CLAIM_TERMS, SHOWN_TOTAL, PAYMENTS, STRIPE_CHARGING, INVOICE_PAYMENT],
    [
      ['withdrawn consent is ignored by the claim', 'if (terms?.isAllowed !== true)', 'if (false)'],
      ['autopay charges what is no default method any more', 'if (method?.isDefault !== true)', 'if (false)'],
      ['a charge is claimed after payments were switched off', 'if (terms?.isEnabled !== true)', 'if (false)'],
      ['a charge is claimed at an account that was exchanged', 'if (terms.accountId !== accountId)', 'if (false)'],
      ['a total that was not shown is charged', 'request.shownMinor !== null && request.shownMinor !== amountMinor', 'false'],
      ['a removed method pays', 'if (method === undefined)', 'if (false)'],
      ['what has changed since it was shown is paid', ' || items.some(({ isUnchanged }) => !isUnchanged)', ''],
      ['an intent never expires', 'intent.expiresAt < now, changedText', 'false, changedText'],
      ['a paid intent is paid again', 'items.length > 0 && items.every(({ isPaid }) => isPaid)', 'false'],
      ['the fee is not charged', 'const amountMinor = sumMinor + (fee?.minor ?? 0)', 'const amountMinor = sumMinor'],
    ],
  ),
  ...mutantsOf(
    'accounts/chargeable.rules.ts',
    ['src/payments/engine/chargeable.test.ts', 'src/payments/providers/stripe/stripe-charging.test.ts'],
    [
      ['an amount that cannot be charged is claimed', 'amountMinor % stepMinor === 0 ?', 'true ?'],
      ['an amount below the smallest is sent', 'amountMinor < minMinor', 'false'],
      ['the smallest amount is refused', 'amountMinor < minMinor', 'amountMinor <= minMinor'],
      ['an amount above the largest is sent', 'amountMinor > maxMinor', 'false'],
    ],
  ),
  ...mutantsOf(
    'engine/claim.queries.ts',
    [
      CLAIM_TERMS,
      OUTDATED,
      ...CONFORMANCE,
      PAYMENTS,
      LOOK_UPS,
      OVERPAID,
      `${ENGINE}/another-card.test.ts`,
      `${FAULTS}/double-submit.test.ts`,
      MATRIX,
    ],
    [
      [
        'a credited invoice can be paid',
        'v.amount_due_minor = i.amount_minor and v.status = ${INVOICE_STATUS.open}',
        'v.amount_due_minor = i.amount_minor',
      ],
      ['another amount than was shown is paid', 'v.amount_due_minor = i.amount_minor and v.status', 'v.status'],
      ['another card counts as the same submission', ' and method_fingerprint is distinct from ${methodFingerprint}', ' and false'],
      ['every attempt blocks its submit key', ".where('status', 'in', UNPAID_STATUSES)", ".where('status', 'in', [])"],
      ['an attempt that was ended is sent', ".where('status', '=', 'created')", ''],
      [
        'an attempt that was settled meanwhile is charged all the same',
        "if (row === undefined) return 'settled'",
        'if (row === undefined) return null',
      ],
      ['an invoice that changed meanwhile is charged all the same', "if (row.isChanged) return 'changed'", ''],
      [
        'the fence believes the mark alone',
        '(cancel_requested_at is not null or ${isAttemptChanged})',
        '(cancel_requested_at is not null)',
      ],
      [
        'a look-up from before the fence is not outdated',
        "      version: sql`version + 1`,\n    })\n    .where(owns('payment_attempt'))\n    .where('id', '=', id)\n    .where('status', '=', 'submitting')\n    .returning",
        "    })\n    .where(owns('payment_attempt'))\n    .where('id', '=', id)\n    .where('status', '=', 'submitting')\n    .returning",
      ],
      ['the fence does not look at the time', "row.nextCheckAt > now ? null : 'late'", 'row.nextCheckAt > now ? null : null'],
      ['withdrawn consent does not stop what was claimed', "if (row.isConsentWithdrawn) return 'withdrawn'", ''],
    ],
  ),
  ...mutantsOf(
    'engine/look-up.ts',
    [PAYMENTS, LOOK_UPS, OUTDATED, EVENTS, OVERPAID, STRIPE_CHARGING, KNOWN_ISSUES, MATRIX],
    [
      ['a look-up ends an attempt that is being submitted', ' && !isBeingSubmitted(deps, attempt)', ''],
      ['what was left at the provider stays there', 'return isUncanceledRemainder || shouldCancel', 'return shouldCancel'],
      ['what was never sent stays unknown', "if (attempt.status === 'created') return", 'if (false) return'],
      ['a payer has no time to confirm', 'CONFIRMATION_TIMEOUT_MS = 60 * MINUTE_MS', 'CONFIRMATION_TIMEOUT_MS = 0'],
      ['a payer has for ever to confirm', 'CONFIRMATION_TIMEOUT_MS = 60 * MINUTE_MS', 'CONFIRMATION_TIMEOUT_MS = Infinity'],
      ['an invoice that changed stays at the bank', 'attempt.cancelRequestedAt !== null || ', ''],
      ['a payment is called cancelled without asking', 'provider.cancel === undefined || attempt.providerRef === null', 'true'],
      [
        'no answer ends an attempt',
        "const toUnknownResult = (error: unknown): ChargeResult => ({\n  state: 'unknown'",
        "const toUnknownResult = (error: unknown): ChargeResult => ({\n  state: 'not_sent'",
      ],
    ],
  ),
  ...mutantsOf(
    'attempts/unknown-outcome.rules.ts',
    [PAYMENTS, LOOK_UPS, MATRIX],
    [
      ['a charge that may be in transit is given up', '? MAX_TRANSIT_MS : MAX_UNCANCELABLE_TRANSIT_MS', '? 0 : 0'],
      ['one look-up is enough to give up', 'const MIN_NOT_STARTED_CHECKS = 2', 'const MIN_NOT_STARTED_CHECKS = 0'],
    ],
  ),
  ...mutantsOf(
    'attempts/transition.rules.ts',
    [TRANSITIONS, OUTDATED, DEBITS, PAYMENTS, MATRIX],
    [
      ['a charge may be sent until it is looked up', 'SENDABLE_MS = FIRST_CHECK_MS - 5_000', 'SENDABLE_MS = FIRST_CHECK_MS'],
      [
        'a request that blames no card is a decline',
        "isRejectedRequest(result.reason) && canTransition(attempt.status, 'not_sent') ?",
        'false ?',
      ],
      ['any amount is paid', 'amount.minor !== BigInt(attempt.amountMinor) || ', ''],
      ['any currency is paid', ' || amount.currency !== attempt.currency', ''],
      ['a reversal is not seen', "if ((reversed ?? BigInt(attempt.reversedMinor)) > 0n) return { status: 'reversed', detail: null }", ''],
      ['what came back first is announced as succeeded', '!attempt.isBooked && keptMinor(attempt, result) <= 0n', 'false'],
      [
        'a void is booked as paid',
        "    case 'voided':\n      return { status: 'expired'",
        "    case 'voided':\n      return { status: 'succeeded'",
      ],
      ['a void after it was paid changes nothing', "result.state !== 'voided' && !isDeclinedDebit", '!isDeclinedDebit'],
      ['a debit that is declined after it was paid stays paid', "result.state === 'declined' && attempt.isDebit", 'false'],
      [
        'a card that is declined after it was paid is taken back',
        "result.state === 'declined' && attempt.isDebit",
        "result.state === 'declined'",
      ],
      ['a part that went back before it was known is never booked', 'return isReturnedInPart ?', 'return false ?'],
      ['a full refund is a payment', 'attempt.refundedMinor)) >= amount.minor ?', 'attempt.refundedMinor)) > amount.minor ?'],
      ['a part that was refunded counts as all', 'attempt.refundedMinor)) >= amount.minor ?', 'attempt.refundedMinor)) > 0n ?'],
      [
        'no answer is a decline',
        "attempt.status === 'submitting' ? 'unknown' : attempt.status, detail: result.detail }\n",
        "'declined', detail: result.detail }\n",
      ],
      ['every transition is allowed', '|| canTransition(attempt.status, status)', '|| true'],
      [
        'no attempt is ever handed to a person',
        "const isExhausted = nextCheckAt === null && isLive(nextStatus) && nextStatus !== 'manual'",
        'const isExhausted = false',
      ],
      ['looks in between use up the schedule', 'attempt.checks + (isScheduled ? 1 : 0)', 'attempt.checks + 1'],
      ['what was refunded is forgotten', 'Number(result?.refunded ?? recorded.refundedMinor)', '0'],
      ['a refund of which nothing is told is taken back', 'result?.refunded ?? recorded.refundedMinor', 'result?.refunded ?? 0'],
      ['what was reversed is forgotten', 'Number(result?.reversed ?? recorded.reversedMinor)', '0'],
      [
        'a bank takes back what was refunded, too',
        'Math.min(reversedMinor, Math.max(0, recorded.amountMinor - refundedMinor))',
        'reversedMinor',
      ],
    ],
  ),
  ...mutantsOf(
    'attempts/attempt.ts',
    [TRANSITIONS, PAYMENTS, DEBITS, 'src/areas/payment-history/payment-history.test.ts', MATRIX],
    [
      ['an unknown outcome can be paid again', "'processing', 'unknown', 'manual'])", "'processing', 'manual'])"],
      ['a payment under review can be paid again', "'unknown', 'manual'])", "'unknown'])"],
      ['a late yes is not accepted', "  declined: ['succeeded'],", '  declined: [],'],
      ['a payment can be declined afterwards', "succeeded: ['refunded', 'reversed']", "succeeded: ['refunded', 'reversed', 'declined']"],
      [
        'a reversed payment has a receipt',
        "status === 'succeeded' || status === 'refunded'\n\n",
        "status === 'succeeded' || status === 'refunded' || status === 'reversed'\n\n",
      ],
    ],
  ),
]
