import { Type } from 'typebox'
import { addMs } from '../../kit/clock.ts'

const DAY_MS = 86_400_000

/** The time that is so many banking days (Monday to Friday, UTC) later; bank holidays count as banking days. */
export const addBankingDays = (from: Date, days: number): Date => {
  let at = from
  for (let left = days; left > 0; ) {
    at = addMs(at, DAY_MS)
    if (at.getUTCDay() !== 0 && at.getUTCDay() !== 6) left -= 1
  }
  return at
}

/** A number of banking days in the settings of a provider's account. */
export const BankingDays = Type.Integer({ minimum: 0, maximum: 60 })

/**
 * The setting of every provider whose debits are settled later: in how many banking days their money is expected. It makes nothing paid.
 */
export const DEBIT_DAYS = { debitDays: Type.Optional(BankingDays) }

/** A kind of bank debit. */
export interface DebitKind {
  /** What a payment by it is sent as: au_becs_debit, sepa_debit, … */
  readonly type: string
  /** Whether the account is entered on our page; else on the provider's own. */
  readonly isEnteredOnOurPage: boolean
}

/** Bank debits. */
export interface ProviderDebits<Settings> {
  /** The kinds of debit that a reseller can choose, by direct-debit method id. */
  readonly kinds: Readonly<Record<number, DebitKind>>
  /**
   * In how many banking days the money of a debit of this type is expected: as the settings say, else as the provider does; null where
   * neither does. The number is only shown.
   */
  readonly bankingDays: (settings: Settings, methodType: string) => number | null
}
