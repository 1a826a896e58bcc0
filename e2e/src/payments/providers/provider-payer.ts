import type { Invoice } from '@counterfoil/contract/invoices'
import { type Api, signInToApi } from '../../support/api.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { createPayer, type Payer } from '../payer.ts'
import type { ProviderDriver } from './provider-driver.ts'

/** A payer of a provider's demo reseller, whose API prepares what a page shows. */
export interface ProviderPayer extends Payer {
  readonly api: Api
  /** The page of an invoice's payment link. */
  readonly payPath: (number: string) => Promise<string>
}

/** Creates one with so many invoices, of which the first may have other amounts than 110.00. */
export const createProviderPayer = async (
  { reseller }: Pick<ProviderDriver, 'reseller'>,
  count: number,
  amounts: readonly string[] = [],
): Promise<ProviderPayer> => {
  const payer = await createPayer(testEnvironment().dataDir, count, reseller, amounts)
  const api = await signInToApi(payer.username, payer.password)
  const payPath = async (number: string): Promise<string> => {
    const invoice = (await api<Invoice[]>('GET', '/v1/ec/invoices')).find((one) => one.number === number)
    return `/pay/${invoice?.payToken}`
  }
  return { ...payer, api, payPath }
}
