import type { AppContext } from '../../../src/context.ts'
import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import { addPayingCustomer, type PayingCustomer, type PaymentsFixture } from '../payments-fixture.ts'
import type { TestSandbox } from '../sandbox.ts'
import { AUTHORIZE } from './authorize.driver.ts'
import { BPOINT } from './bpoint.driver.ts'
import { IPPAY } from './ippay.driver.ts'
import { MONERIS } from './moneris.driver.ts'
import { NEXIO } from './nexio.driver.ts'
import { PINCH } from './pinch.driver.ts'
import type { ProviderDriver } from './provider-driver.ts'
import { STRIPE } from './stripe.driver.ts'

/** Every provider that takes payments. */
export const PROVIDER_DRIVERS: readonly ProviderDriver[] = [STRIPE, MONERIS, AUTHORIZE, IPPAY, NEXIO, BPOINT, PINCH]

/** @throws Error for a name that no provider has */
export const findDriver = (name: string): ProviderDriver => {
  const driver = PROVIDER_DRIVERS.find((one) => one.name === name)
  if (driver === undefined) throw new Error(`there is no provider ${name}`)
  return driver
}

/** Connects a reseller to its own account at the provider's stand-in, or to that of another reseller. */
export const connectReseller = (
  context: AppContext,
  sandbox: TestSandbox,
  { name: provider, settings }: ProviderDriver,
  resellerId: number,
  owner = resellerId,
): Promise<void> => saveAccount(context, { resellerId, provider, baseUrl: `${sandbox.url}/${provider}`, settings: settings(owner) })

/** Adds a customer of a reseller with its own account at the provider's stand-in, where card numbers may be typed. */
export const addPayerAt = async (
  fixture: PaymentsFixture,
  driver: ProviderDriver,
  resellerFields: Parameters<typeof addPayingCustomer>[1] = {},
): Promise<PayingCustomer> => {
  const { type: payment_type, currency } = driver
  const payer = await addPayingCustomer(fixture, { payment_type, currency, payment_raw_card: true, ...resellerFields })
  await connectReseller(fixture.context, fixture.sandbox, driver, payer.resellerId)
  return payer
}
