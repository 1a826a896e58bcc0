import type { Insertable } from 'kysely'
import { afterAll, afterEach } from 'vitest'
import type { Tables } from '../../src/db/tables/tables.ts'
import { addPayingCustomer, expectBalanced, openPaymentsFixture, type PayingCustomer, type PaymentsFixture } from './payments-fixture.ts'

/** Opens a fixture for a test file and closes it after the last test. */
export const usePaymentsFixture = async (...opened: Parameters<typeof openPaymentsFixture>): Promise<PaymentsFixture> => {
  const fixture = await openPaymentsFixture(...opened)
  afterAll(() => fixture.close())
  return fixture
}

/**
 * The same with a customer who pays. After each test the clock is advanced to the real time, and both ledgers must agree.
 * @param reseller fields of the customer's reseller
 */
export const usePayments = async (
  reseller: Partial<Insertable<Tables['reseller']>> = {},
  settings: Record<string, string> = {},
): Promise<{ fixture: PaymentsFixture; payer: PayingCustomer }> => {
  const fixture = await usePaymentsFixture(settings)
  afterEach(async () => {
    fixture.advanceToNow()
    await expectBalanced(fixture)
  })
  return { fixture, payer: await addPayingCustomer(fixture, reseller) }
}
