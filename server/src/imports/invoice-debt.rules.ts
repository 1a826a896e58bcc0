import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type RawBuilder, sql } from 'kysely'

/**
 * What to say of an invoice whose debt cannot be, by the fault's name in `invoice_debt_fault` (migrations/0125): which field, and what is
 * expected there.
 */
const DEBT_FAULTS: Readonly<Record<string, (due: string, amount: string) => string>> = {
  paid: (due) => `amountDue: a paid invoice has nothing due, and ${due} is; write 0, or another status`,
  zero: () => 'status: an invoice of 0 asks for nothing, so its status is paid',
  credited: (due) => `amountDue: of a credited invoice with a positive amount nothing is due, and ${due} is; write 0, or another status`,
  credit: (due, amount) =>
    `amountDue: ${due} is not what is left of a credit note of ${amount}; write an amount from ${amount}, all of it, to 0, nothing`,
  negative: (due, amount) => `status: an invoice of ${amount} is a credit note, so its status is credited, and ${due} is due of it`,
  nothing: () => 'amountDue: of an open invoice something is due; write how much, or the status paid or credited',
  beyond: (due, amount) => `amountDue: ${due} is not a part of ${amount}; of an open invoice more than 0 is due, and at most its amount`,
}

/** The sentence about a debt that cannot be. Amounts are decimal texts. */
export const debtFaultText = (fault: string, { due, amount }: { readonly due: string; readonly amount: string }): string =>
  DEBT_FAULTS[fault]?.(due, amount) ?? `amountDue: ${due} cannot be due of ${amount}`

/**
 * SQL: the status to store for an invoice that nobody has paid. A negative amount is a credit note (credited), and nothing at all is paid.
 */
export const unpaidStatus = (amount: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(case sign(${amount}) when 0 then ${INVOICE_STATUS.paid} when 1 then ${INVOICE_STATUS.open} else ${INVOICE_STATUS.credited} end)::smallint`
