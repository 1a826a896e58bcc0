import { runInProduct } from '../../support/command-line.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import type { ProviderDriver } from './provider-driver.ts'

type Option = 'rawCard' | 'billingAddress' | 'receipts'

/** Changes settings of a provider's demo reseller. */
export const setPaymentOptions = (
  { reseller }: Pick<ProviderDriver, 'reseller'>,
  options: Readonly<Partial<Record<Option, 'on' | 'off'>>>,
): Promise<unknown> => runInProduct(testEnvironment().dataDir, 'reseller payments set', [String(reseller)], options)
