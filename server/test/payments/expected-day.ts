import type { AppContext } from '../../src/context.ts'
import { addBankingDays } from '../../src/payments/providers/debits.ts'
import type { PayingCustomer } from './payments-fixture.ts'

/** The day on which the money of the last payment of an invoice is expected, as its customer is told. */
export const expectedDayOf = async ({ me }: PayingCustomer, invoiceId: number): Promise<string | null> => {
  const { payments } = (await me.get(`/v1/ec/invoices/${invoiceId}/payments`)).json()
  return payments[0].expectedOn
}

/** The day so many banking days from now. */
export const dayAfter = ({ clock }: AppContext, bankingDays: number): string =>
  addBankingDays(clock(), bankingDays).toISOString().slice(0, 10)
