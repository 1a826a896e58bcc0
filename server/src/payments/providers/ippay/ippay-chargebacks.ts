import { type Money, parseMoney } from '@counterfoil/contract/kit/money'
import { addMs, parseInstant } from '../../../kit/clock.ts'
import { CURRENCY } from './ippay-charges.ts'
import { type IPpayContext, listRows, merchantReferenceOf, TOLERANCE_MS } from './ippay-client.ts'
import type { Reply } from './ippay-xml.ts'

/** A chargeback as its report shows it. */
interface Chargeback {
  readonly caseNumber: string
  /** Our reference of the payment, where the row has one. */
  readonly merchantReference: string | undefined
  /** IPpay's own number of the payment, without leading zeros. */
  readonly transactionNumber: string
  readonly amount: Money
  readonly paidAt: Date | null
}

/** A number without its leading zeros; empty for none. */
const withoutZeros = (number: string | undefined): string => (number ?? '').replace(/^0+/, '')

/**
 * A chargeback from a row of its report.
 * @throws Error when the row has no case number or no amount that can be read
 */
const toChargeback = (row: Reply): Chargeback => {
  const {
    CaseNumber: caseNumber,
    Transaction_ID: merchantReference,
    MatchedTransactionID,
    CaseAmount = '',
    ImportDateTransaction = '',
  } = row
  if (caseNumber === undefined || !/^\d{1,10}\.\d{2}$/.test(CaseAmount)) throw new Error('ippay reports a chargeback that cannot be read')
  return {
    caseNumber,
    merchantReference,
    transactionNumber: withoutZeros(MatchedTransactionID),
    amount: parseMoney(CaseAmount, CURRENCY),
    paidAt: parseInstant(`${ImportDateTransaction.replace(' ', 'T').slice(0, 19)}Z`),
  }
}

/**
 * The chargebacks that were reported between two instants, each case once.
 * @throws Error when the report cannot be read
 */
export const listChargebacks = async (context: IPpayContext, from: Date, to: Date): Promise<Chargeback[]> => {
  const cases = new Map<string, Chargeback>()
  for await (const row of listRows(context, 'ccchargebacks', from, to)) {
    const chargeback = toChargeback(row)
    cases.set(chargeback.caseNumber, chargeback)
  }
  return [...cases.values()]
}

/**
 * Whether a chargeback takes back the sale of this row: by the TransactionID, else by the number that IPpay gave it, which its row shows.
 */
const isOf = ({ merchantReference, transactionNumber }: Chargeback, { Transaction_ID, ipTransID }: Reply): boolean =>
  merchantReference !== undefined
    ? merchantReference === Transaction_ID
    : transactionNumber !== '' && transactionNumber === withoutZeros(ipTransID)

/** What banks have taken back of the sale of a row, in minor units. */
export const sumChargebacks = (chargebacks: readonly Chargeback[], sale: Reply): bigint =>
  chargebacks.filter((one) => isOf(one, sale)).reduce((sum, { amount }) => sum + amount.minor, 0n)

/**
 * The TransactionIDs of the payments that the chargebacks of a span take back. A chargeback that names none is matched with the sales of
 * its days.
 * @throws Error when a report cannot be read
 */
export async function* listChargedBack(context: IPpayContext, from: Date, to: Date): AsyncGenerator<string> {
  for (const chargeback of await listChargebacks(context, from, to)) {
    const { merchantReference, paidAt } = chargeback
    if (merchantReference !== undefined) yield merchantReference
    else if (paidAt !== null)
      for await (const row of listRows(context, 'credit', addMs(paidAt, -TOLERANCE_MS), addMs(paidAt, 2 * TOLERANCE_MS)))
        if (row['Request_Type'] === 'SALE' && isOf(chargeback, row)) yield merchantReferenceOf(row) ?? row['Transaction_ID'] ?? ''
  }
}
