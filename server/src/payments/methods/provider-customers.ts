import type { Account } from '../accounts/accounts.ts'
import {
  findCustomerProfile,
  deleteProviderCustomer,
  insertProviderCustomer,
  findProviderCustomerId,
} from '../accounts/accounts.queries.ts'
import { transactAsReseller, type CustomerKey, type PaymentsDeps } from '../payments-deps.ts'
import { CustomerGone } from '../providers/provider.ts'

/** Who the customer is at the company, which is asked to make it known when it is not yet; null where the company keeps no customers. */
export const ensureProviderCustomer = (deps: PaymentsDeps, account: Account, customer: CustomerKey): Promise<string | null> =>
  findOrCreateProviderCustomer(deps, account, customer, null)

/**
 * Makes a customer known anew whom the company does not know any more. What it had stored there is gone with it, and is forgotten when
 * its methods are next listed.
 */
export const recreateProviderCustomer = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerKey,
  formerId: string,
): Promise<string | null> => {
  const { customerId, resellerId } = customer
  const provider = account.provider.name
  deps.log.warn(
    { customerId, resellerId, provider, owner: formerId },
    'the company does not know a customer any more; it is made known anew',
  )
  await transactAsReseller(deps, resellerId, (db) => deleteProviderCustomer(db, customerId, provider, formerId))
  return findOrCreateProviderCustomer(deps, account, customer, formerId)
}

/** Does something for a customer at the company; for one whom the company does not know any more, once more as the one that is made anew. */
export const withProviderCustomer = async <T>(
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerKey,
  work: (providerCustomerId: string | null) => Promise<T>,
): Promise<T> => {
  const providerCustomerId = await ensureProviderCustomer(deps, account, customer)
  try {
    return await work(providerCustomerId)
  } catch (error) {
    if (!(error instanceof CustomerGone) || providerCustomerId === null) throw error
    return work(await recreateProviderCustomer(deps, account, customer, providerCustomerId))
  }
}

const findOrCreateProviderCustomer = async (
  deps: PaymentsDeps,
  { provider, context: call }: Account,
  { customerId, resellerId }: CustomerKey,
  formerId: string | null,
): Promise<string | null> => {
  if (provider.createCustomer === undefined) return null
  const known = await transactAsReseller(deps, resellerId, async (db) => ({
    owner: await findProviderCustomerId(db, customerId, provider.name),
    profile: await findCustomerProfile(db, customerId),
  }))
  if (known.owner !== null) return known.owner
  // The key tells this installation from others that speak to the same account, and a new customer from the one that is gone.
  const key = deps.keys.mac('submit', 'owner', provider.name, String(customerId), ...(formerId === null ? [] : [formerId])).toString('hex')
  const providerCustomerId = await provider.createCustomer(call, { reference: String(customerId), name: known.profile.label, key })
  return transactAsReseller(deps, resellerId, (db) => insertProviderCustomer(db, customerId, provider.name, providerCustomerId))
}
