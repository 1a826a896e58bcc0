import type { TransactionCall } from '../api/transaction.ts'
import type { Card } from './cards.ts'
import { DECLINED, type Outcome } from './outcomes.ts'

/** What the issuer says about the address and the security code. */
export interface AddressChecks {
  /** The letter, or null when no address was sent or nothing is known. */
  readonly avs: string | null
  /** The letter of the security code without its indicator, or null when none was sent. */
  readonly cvd: string | null
  /** Set when the amount makes the issuer decline because of these checks. */
  readonly decline: Outcome | undefined
}

interface AmountResult {
  readonly avs?: string
  readonly cvd?: string
  readonly isDeclined?: true
}

/** Moneris' AVS and CVD test amounts, in cents, for the card 4242 4242 4242 4242. */
const RESULTS_BY_AMOUNT: Readonly<Record<number, AmountResult>> = {
  1010: { avs: 'A' },
  1012: { avs: 'U' },
  1013: { avs: 'Y' },
  1017: { avs: 'N' },
  1018: { avs: 'Z' },
  1019: { avs: 'R', cvd: 'M' },
  1024: { isDeclined: true },
  1025: { isDeclined: true },
  1026: { isDeclined: true },
  1030: { avs: 'Y', cvd: 'P' },
  1031: { avs: 'Y', cvd: 'M' },
  1032: { avs: 'Y', cvd: 'N' },
  1033: { avs: 'Y', cvd: 'S' },
  1034: { avs: 'Y', cvd: 'U' },
  1035: { avs: 'Y', cvd: 'N', isDeclined: true },
  1036: { avs: 'Y', cvd: 'M', isDeclined: true },
  1037: { avs: 'Z', cvd: 'M', isDeclined: true },
  1040: { avs: 'Z', cvd: 'S' },
  1041: { avs: 'Y', cvd: 'M' },
}

const AMOUNT_CARD = '4242424242424242'
const AVS_MATCH_CARD = '4761739012345637'

/** The sandbox's own security codes, for calls without an amount. */
const RESULTS_BY_CODE: Readonly<Record<string, string>> = { '999': 'N', '998': 'P', '997': 'S', '996': 'U' }

/** The letter for a security code: a match unless it is one of the sandbox's own test codes. */
export const securityCodeResult = (code: string): string => RESULTS_BY_CODE[code.slice(0, 3)] ?? 'M'

/**
 * The results of the address and the security code, by the card and the test amount. `cvdOfToken` is the result of a code that was typed
 * when the token was made.
 */
export const checkAddress = (
  { blocks }: Pick<TransactionCall, 'blocks'>,
  { pan }: Pick<Card, 'pan'>,
  amount: number,
  cvdOfToken: string | null = null,
): AddressChecks => {
  const code = blocks.cvd_info?.['cvd_value']
  const typedResult = code === undefined ? cvdOfToken : securityCodeResult(code)
  const hasAddress = blocks.avs_info !== undefined
  const byAmount = pan === AMOUNT_CARD && (hasAddress || typedResult !== null) ? (RESULTS_BY_AMOUNT[amount] ?? {}) : {}
  return {
    avs: hasAddress ? (byAmount.avs ?? (pan === AVS_MATCH_CARD ? 'Y' : null)) : null,
    cvd: typedResult === null ? null : (byAmount.cvd ?? typedResult),
    decline: byAmount.isDeclined ? DECLINED : undefined,
  }
}
