import { mutantsOf, type Mutant } from './mutant.ts'

const RETURNED = 'test/payments/fault-injection/returned-money.test.ts'

/** Mistakes in how the answers of companies other than Stripe are read. */
export const PROVIDER_MUTANTS: readonly Mutant[] = [
  ...mutantsOf(
    'providers/nexio/nexio-codec.ts',
    ['src/payments/providers/nexio/nexio.test.ts', RETURNED],
    [
      [
        'an eCheck is told from the answer',
        "return isECheck ? { state: 'processing', providerRef } : moved",
        "return isListedECheck(record) ? { state: 'processing', providerRef } : moved",
      ],
      ['a void at the desk is a payment', "return { state: 'voided', providerRef, detail: 'voided at nexio' }", 'return moved'],
    ],
  ),
  ...mutantsOf(
    'providers/pinch/pinch-codec.ts',
    ['src/payments/providers/pinch/pinch.test.ts'],
    [
      [
        'a bank debit is told from the answer',
        "return isDebit ? { state: 'processing', providerRef } : paid",
        "return isListedDebit(payment) ? { state: 'processing', providerRef } : paid",
      ],
    ],
  ),
  ...mutantsOf(
    'providers/ippay/ippay-look-up.ts',
    [RETURNED, 'src/payments/providers/ippay/ippay.test.ts'],
    [
      ['what the gateway voided is a payment', 'if (rows.some(isVoid)) return voidedResult(order.merchantReference)', ''],
      ['a chargeback is not seen', 'capMinor(sumChargebacks(chargebacks, charge), amount)', '0n'],
    ],
  ),
]
