import { mutantsOf, type Mutant } from './mutant.ts'

const ALLOCATION = ['src/payments/ledger/allocation.rules.test.ts', 'src/payments/ledger/money-arithmetic.test.ts']
const LEDGER = [
  ...ALLOCATION,
  'src/payments/ledger/overpaid.test.ts',
  'src/payments/engine/debits.test.ts',
  'src/areas/invoice-payment/invoice-payment.test.ts',
]
const EVENTS = ['src/payments/webhooks/webhook-events.test.ts', 'src/payments/engine/known-issues.test.ts']
const RECONCILE = ['src/payments/reconciliation/discrepancies.rules.test.ts', 'src/cli/payments/reconcile.test.ts']
const QUEUE = ['src/cli/payments/review-queue.test.ts']
const REFUND = ['src/cli/payments/refund.test.ts', 'src/payments/reconciliation/unkeyed-provider.test.ts']
const AUTOPAY = ['src/cli/payments/autopay-run.test.ts']
const ACCOUNTS = ['test/payments/fault-injection/changed-account.test.ts', 'src/cli/payments/reseller-payments.test.ts']

/** Mistakes in the ledger, the webhooks, and what operators do about payments. */
export const MONEY_MUTANTS: readonly Mutant[] = [
  ...mutantsOf('ledger/allocation.rules.ts', LEDGER, [
    ['a payment of more than is due is not overpaid', 'overpaidChangeMinor: paidMinor - usedMinor', 'overpaidChangeMinor: 0'],
    ['an amount due falls below nothing', 'Math.min(paidMinor, Math.max(0, dueMinor))', 'paidMinor'],
    ['a refund leaves what is overpaid', 'overpaidChangeMinor: -Math.min(overpaidMinor, refundedMinor)', 'overpaidChangeMinor: 0'],
    ['a reversal asks for what is overpaid', 'Math.min(invoice.overpaidMinor, reversedMinor)', '0'],
    ['a reversal asks for more than the invoice', 'Math.max(0, amountMinor - (heldMinor - reversedMinor))', 'Infinity'],
    ['a credited invoice is due after a reversal', 'invoice.status === INVOICE_STATUS.credited ? 0 :', 'false ? 0 :'],
    [
      'a reversal lowers what is due',
      'Math.max(dueMinor, newDueMinor)',
      'newDueMinor',
      'what is due is never above the limit before a reversal unless an import put it there, and then the next import says so again',
    ],
    ['a failed refund is forgotten', 'Math.max(0, returnedMinor - Math.max(0, keptAtFirstMinor - keptMinor))', '0'],
    ['what is overpaid is not returned first', 'take(Math.min(heldMinor, overpaidMinor(invoiceId)))', '0'],
    ['a return takes the first item first', 'const lastFirst = allocations.toReversed()', 'const lastFirst = [...allocations]'],
    ['more comes back than was paid', 'take(allocation.amountMinor - ofSurplusMinor)', 'take(Infinity)'],
    ['more is reinstated than was asked for', 'Math.min(leftMinor, allocation.amountMinor - keptMinor)', 'leftMinor'],
  ]),
  ...mutantsOf('ledger/ledger.ts', LEDGER, [
    ['the fee is not in the ledger', 'feeMinor > 0 ?', 'false ?'],
    ['a return is recorded as a payment', "const sign = kind === 'pay' ? 1 : -1", 'const sign = 1'],
    ['the amount due of a paid invoice stays', "if (kind !== 'refund') await updateAmountDue", 'if (false) await updateAmountDue'],
    [
      'nobody sees what is overpaid',
      'if (overpaidMinor > 0) await reportOverpayment(db, attempt, overpaidMinor, now)',
      'if (false) return',
    ],
    ['what was refunded stays in the queue', 'else if (changed.length > 0) await closeOverpayments(db, attempt, changed, now)', ''],
    [
      'a refund reopens the invoice',
      "kind === 'refund' ? applyRefund : applyReversal)",
      'applyReversal)',
      'what is due is not written for a refund, and both take what is overpaid alike',
    ],
  ]),
  ...mutantsOf('webhooks/webhook-events.queries.ts', EVENTS, [
    [
      'an event about nothing is processed for ever',
      "if (rows.length === 0 || about !== 'payment') return",
      'if (rows.length === 0) return',
      'such an event is stored as processed, so its job finds nothing to do',
    ],
    ['a webhook gives a payment another reference', ".where('provider_ref', 'is', null)", ''],
    [
      'an event says whose reference it brings',
      ".where('merchant_reference', '=', merchantReference)\n",
      '',
      'an attempt that is found by the reference has it already',
    ],
  ]),
  ...mutantsOf('webhooks/webhook-events.queries.ts', ACCOUNTS, [
    ['an event is believed about payments of other accounts', '.where(sql<boolean>`account_id = any(${accountIds}::bigint[])`)\n    ', ''],
  ]),
  ...mutantsOf('accounts/accounts.ts', ACCOUNTS, [
    ['a payment is looked up at the account in use', 'readAccountRow(db, resellerId, accountId))', 'readAccountRow(db, resellerId))'],
  ]),
  ...mutantsOf('reconciliation/former-accounts.ts', ACCOUNTS, [
    ['the credentials of an account with a live payment are deleted', 'if (livePayments > 0) return null\n', ''],
  ]),
  ...mutantsOf('accounts/account-change.ts', ACCOUNTS, [
    ['a provider that does not answer is taken for another account', 'if (identity !== null && unidentified', 'if (unidentified'],
  ]),
  ...mutantsOf('methods/stored-methods.queries.ts', ACCOUNTS, [
    ['stored methods of another account are offered', "    .where('account_id', '=', accountId)\n", ''],
  ]),
  ...mutantsOf('webhooks/webhook-events.ts', EVENTS, [
    ['the reference of an event is not kept', 'if (found !== undefined) await saveReferenceOfEvent(db, found, event)', ''],
    ['an event is not looked into', "await lookUpAttempt(deps, attempt, 'webhook')", ''],
    [
      'an event about an unknown payment is done at once',
      "if (attempt === undefined) throw new JobFailure('there is no such payment')",
      'if (attempt === undefined) return',
    ],
  ]),
  ...mutantsOf('reconciliation/discrepancies.rules.ts', RECONCILE, [
    ['a payment that is charged twice is not seen', 'payment !== primary && holdsMoney(payment)', 'false'],
    ['another amount is not seen', 'if (theirMinor !== ours.amountMinor)', 'if (false)'],
    ['another currency is not seen', 'if (amount.currency !== ours.currency)', 'if (false)'],
    ['a payment that only they have is not seen', 'if (!hasPaid(ours.status)) return [...duplicates,', 'if (false) return [...duplicates,'],
    ['a refund that only they have is not seen', 'if (refundedMinor !== ours.refundedMinor)', 'if (false)'],
    ['a reversal that only they have is not seen', 'if (reversedMinor !== ours.reversedMinor)', 'if (false)'],
    ['a payment that is not ours is not seen', 'merchantReferences.has(ref) ? [] : found', 'true ? [] : found'],
  ]),
  ...mutantsOf(
    'reconciliation/discrepancies.queries.ts',
    [...RECONCILE, ...QUEUE, 'src/payments/ledger/overpaid.test.ts'],
    [
      ['reconciliation closes overpayments', "kind <> 'overpaid' and ", ''],
      ['what an operator dismissed comes again', "where d.closed_by is distinct from 'operator' or", 'where true or'],
      ['what agrees again stays in the queue', "set closed_at = ${now}, closed_by = 'agreement'", 'set reason = null'],
    ],
  ),
  ...mutantsOf('reconciliation/manual-resolution.ts', QUEUE, [
    ['an operator overrules what is settled', 'if (!isLive(current.status)) {', 'if (false) {'],
    ['an operator overrules the provider', 'assertProviderSilent(result, outcome)\n  const', 'const'],
    ['a payment is settled while it is looked for', 'if (ageMs < MIN_AGE_MS)', 'if (false)'],
    ['a manual resolution is not audited', 'await writeAudit(db, settled)', ''],
  ]),
  ...mutantsOf('reconciliation/refund.ts', REFUND, [
    ['a second refund counts as the first', '`${before.id}:${before.refundedMinor}:', '`${before.id}:'],
    ['more is refunded than was paid', 'if (amountMinor > leftMinor)', 'if (false)'],
    ['an unanswered refund is called done', 'if (refundedMinor < amountMinor)', 'if (false)'],
    ['a refund that was made after all is sent again', 'if (sent !== null && before.refundedMinor >= sent.total)', 'if (false)'],
    ['a refund without an answer is sent again', "if (provider.idempotency !== 'by-key')", 'if (false)'],
    ['two refunds are sent at once', 'if (!isMarked)', 'if (false)'],
    ['a refund that was refused is in doubt', 'if (isRefused || refundedMinor >= amountMinor)', 'if (refundedMinor >= amountMinor)'],
    ['a refund is not recorded', "settleAttempt(deps, before, result, 'operator')", "lookUpAttempt(deps, before, 'operator')"],
  ]),
  ...mutantsOf('engine/autopay.ts', AUTOPAY, [
    ['a dry run hides the fee', 'reason, feeMinor: feeMinorOf(bundle, feeRules) }', 'reason, feeMinor: 0 }'],
    ['autopay charges before somebody has chosen', "if (askPermission === null) return 'not-chosen'", ''],
    [
      'a payment that nobody can confirm stays',
      "attempt.status === 'requires_action' ? await cancelAttempt(deps, attempt) : attempt",
      'attempt',
    ],
    ['two runs on a day charge twice', '${day} ${notSent}', '${randomUUID()}'],
  ]),
  ...mutantsOf(
    'engine/wait-for-outcome.ts',
    ['test/payments/fault-injection/double-submit.test.ts'],
    [['a repetition does not wait for the first', 'if (!isInFlight(deps, attempt)) return attempt\n  const', 'return attempt\n  const']],
  ),
  ...mutantsOf(
    'attempts/submission.ts',
    [
      'src/payments/engine/payments.test.ts',
      'src/areas/invoice-payment/invoice-payment.test.ts',
      'src/payments/engine/another-card.test.ts',
    ],
    [
      ['the key of one intent pays another', "keys.mac('submit', target, submitKey)", "keys.mac('submit', submitKey)"],
      ['every card is the same card', "keys.mac('submit', 'method', token)", "keys.mac('submit', 'method')"],
    ],
  ),
  ...mutantsOf(
    'engine/sealed-redirect.ts',
    ['test/payments/fault-injection/secret-leaks.test.ts'],
    [['the address of the bank is stored as it is', "result.state === 'requires_action'\n    ?", 'false\n    ?']],
  ),
  ...mutantsOf(
    'engine/decline-limit.ts',
    ['src/areas/invoice-payment/card-testing.test.ts', 'src/areas/bulk-payment/bulk-payment.test.ts'],
    [
      ['declined payments do not count', "status === 'declined',", 'false,'],
      ['a repeated submit counts again', 'id === attemptId && status', 'status'],
      ['a try takes before it is declined', 'if (isDeclined(outcome))', 'if (true)'],
      ['a used-up limit is not asked', 'if (waitMs > 0) throw tooManyRequests(waitMs)\n', ''],
      ['an address is locked out everywhere', 'address, `reseller ${resellerId}`)', 'address)'],
    ],
  ),
  ...mutantsOf(
    '../areas/invoice-payment/card-testing.service.ts',
    ['src/areas/invoice-payment/card-testing.test.ts'],
    [['slow mode lets everything through', 'if (waitMs > 0) throw tooManyRequests(waitMs)', '']],
  ),
  ...mutantsOf(
    'pay-response.ts',
    ['src/payments/engine/rejected-requests.test.ts'],
    [['a request that is refused for its amount is a line that broke', 'isRejectedRequest(declineReason) ?', 'false ?']],
  ),
  ...mutantsOf(
    'accounts/fees.rules.ts',
    ['src/payments/accounts/fees.rules.test.ts', 'src/payments/ledger/money-arithmetic.test.ts'],
    [
      ['a debit costs the fee of a card', "isDebit ? 'DIRECT_DEBIT_FEE' : 'CREDIT_CARD_FEE'", "'CREDIT_CARD_FEE'"],
      ['fees of another currency apply', ' && candidate.currency === currency', ''],
      ['an amount with more digits is the same', "parts === null || /[1-9]/.test((parts[1] ?? '').slice(digits))", 'parts === null'],
    ],
  ),
]
