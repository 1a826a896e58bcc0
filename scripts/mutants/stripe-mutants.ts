import { mutantsOf, type Mutant } from './mutant.ts'

const STRIPE = 'src/payments/providers/stripe'
const TESTS = [
  `${STRIPE}/stripe-safety.test.ts`,
  `${STRIPE}/stripe.test.ts`,
  `${STRIPE}/stripe-charging.test.ts`,
  'test/payments/providers/conformance.test.ts',
]

/** Mistakes in the Stripe adapter. */
export const STRIPE_MUTANTS: readonly Mutant[] = [
  ...mutantsOf(
    'providers/stripe/stripe-charges.ts',
    [
      ...TESTS,
      'src/payments/engine/debits.test.ts',
      'src/cli/payments/refund.test.ts',
      'src/payments/engine/payments.test.ts',
      'src/areas/payment-methods/payment-methods.test.ts',
    ],
    [
      ['a payment that is not confirmed stays at Stripe', 'discard: () => cancel(context, known),', ''],
      ['an answer about another payment counts', 'if (confirmed.id !== id) return OTHER_PAYMENT', ''],
      ['a look-up of another payment counts', 'if (intent.id !== providerRef) return OTHER_PAYMENT', ''],
      [
        'a confirmation sends the payer anywhere',
        'const result = withSafeRedirect(context, decodeIntent(confirmed))',
        'const result = decodeIntent(confirmed)',
      ],
      ['a look-up sends the payer anywhere', 'return withSafeRedirect(context, decodeIntent(intent))', 'return decodeIntent(intent)'],
      [
        'a card that cannot be used here blocks its invoice',
        "result.state === 'not_started' ? await declineUnusable",
        'false ? await declineUnusable',
      ],
      ['any payment that Stripe creates is confirmed', ' && intent.amount === params.amount && intent.currency === params.currency', ''],
      ['the currency of what Stripe creates does not matter', ' && intent.currency === params.currency', ''],
      ['a lost creation blocks the invoice', "if (result.state !== 'declined') return { state: 'not_sent', detail: result.detail }", ''],
      ['disputes are not asked for', 'if (!wasDisputed(intent)) return', 'if (true) return'],
      ['the list knows no disputes', 'result: wasDisputed(intent) ? await', 'result: false ? await'],
      ['a payment that Stripe does not know was never sent', "{ state: 'unknown', detail }", "{ state: 'absent', detail }"],
      [
        'a failed cancellation is believed',
        'return lookUp(context, order) // the payment',
        "return { state: 'canceled', detail: '' } // the payment",
      ],
      [
        'a cancellation of another payment counts',
        'canceled.id === order.providerRef ? decodeIntent(canceled) : OTHER_PAYMENT',
        'decodeIntent(canceled)',
        'Stripe answers for the payment in the path; the check costs nothing and needs an impossible answer',
      ],
      ['a refund can be made twice', '{ idempotencyKey: `refund:${refundId}` }', '{}'],
      [
        'a failed refund is called done',
        "if (status === 'failed' || status === 'canceled')",
        'if (false)',
        'the look-up finds nothing refunded, and the operator reads that nobody knows; the words are worse, the money is right',
      ],
      ['the host ends in stripe.com', "hostname.endsWith('.stripe.com')", "hostname.endsWith('stripe.com')"],
      ['any protocol will do', "protocol === 'https:' && ", ''],
      ['a customer who is gone is not made again', 'isGone ? { ...result, isCustomerGone: true } : result', 'result'],
    ],
  ),
  ...mutantsOf('providers/stripe/stripe-client.ts', TESTS, [
    [
      'a refusal that brings a paid payment is a decline',
      'mayHaveMovedMoney(error) ? unknown : declineFromError(error)',
      'declineFromError(error)',
    ],
    ['a broken connection counts as not sent', 'wasSent(error) ? unknown', 'false ? unknown'],
    ['a server error is a decline', 'if (statusCode !== 400 && statusCode !== 404) return unknown', ''],
    [
      'too many requests are a decline',
      "if (statusCode === 429) return { state: 'not_sent'",
      "if (statusCode === 429) return { state: 'absent'",
    ],
    ['an undecided answer is a decline', 'UNDECIDED_CODES.has(code) || ', ''],
    ['a used key is a decline', " || rawType === 'idempotency_error'", ''],
    ['a call is repeated by the library', 'maxNetworkRetries: 0', 'maxNetworkRetries: 2'],
    [
      'an answer that is no object hangs',
      "if (typeof body !== 'object' || body === null) throw new SyntaxError",
      'if (false) throw new SyntaxError',
    ],
  ]),
  ...mutantsOf('providers/stripe/stripe-amounts.ts', TESTS, [
    ['the ariary has cents', 'KWD: 2, MGA: 0,', 'KWD: 2,'],
    ['the króna has none', 'ISK: 2, JOD: 2, KWD: 2', 'JOD: 2, KWD: 2'],
    ['the third digit of the dinar is charged', 'KWD: 2, MGA: 0', 'MGA: 0'],
  ]),
  ...mutantsOf('providers/stripe/stripe-codec.ts', TESTS, [
    ['an inquiry is lost money', " || one.status.startsWith('warning_')", ''],
    ['a dispute that was won is lost money', "one.status === 'won' || ", ''],
    ['a prevented dispute is lost money', " || one.status === 'prevented'", ''],
    ['what was refunded is not read', 'toMoney(latest_charge.amount_refunded, currency).minor : 0n', '0n : 0n'],
    [
      'a part that was received is the whole',
      'amount: toMoney(amount_received, currency)',
      'amount: toMoney(amount_received * 2, currency)',
    ],
    [
      'a payment without a card is declined',
      "intent.last_payment_error\n        ? toDecline(intent.last_payment_error)\n        : { state: 'not_started', detail: 'nothing has been charged yet' }",
      'toDecline(intent.last_payment_error ?? {})',
    ],
    ['an authorisation is paid', "case 'succeeded':\n", "case 'succeeded':\n    case 'requires_capture':\n"],
    [
      'every answer can be read',
      "if (!matchesSchema(WireIntent, value)) return { state: 'unknown', detail: 'stripe answered in an unknown format' }\n  const intent = value",
      'const intent = value as WireIntent',
    ],
    [
      'internal words are shown to payers',
      '(isPublic ? error.message : null) ?? REJECTION_TEXTS.not_accepted',
      'error.message ?? REJECTION_TEXTS.not_accepted',
    ],
  ]),
  ...mutantsOf('providers/stripe/stripe-amounts.ts', TESTS, [
    ['the ariary has cents', 'KWD: 2, MGA: 0,', 'KWD: 2,'],
    ['the króna has none', 'ISK: 2, JOD: 2, KWD: 2', 'JOD: 2, KWD: 2'],
    ['the third digit of the dinar is charged', 'KWD: 2, MGA: 0', 'MGA: 0'],
  ]),
  ...mutantsOf(
    'providers/stripe/stripe-webhooks.ts',
    ['src/payments/webhooks/webhook-events.test.ts'],
    [
      ['a forged webhook is taken', "if (!hasValidSignature(context, headers['stripe-signature'] ?? '', raw))", 'if (false)'],
      ['an old webhook is taken', 'TOLERANCE_SECONDS = 300', 'TOLERANCE_SECONDS = 300_000_000'],
      ['an unreadable webhook is taken', 'if (!matchesSchema(WireEvent, event)) throw', 'if (false) throw'],
    ],
  ),
]
