import type { Account } from '../accounts/accounts.ts'
import {
  readCustomerProfile,
  deleteProviderCustomer,
  insertProviderCustomer,
  findProviderCustomerId,
} from '../accounts/accounts.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { Contact } from '../providers/method.ts'
import { CustomerGone } from '../providers/storing.ts'

/**
 * The customer's stored id at the provider; a missing one is created there and committed here. Null where the provider has no customers.
 * @param contact who entered the method, where that is known
 */
export const ensureProviderCustomer = (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  contact: Contact = {},
): Promise<string | null> => findOrCreateProviderCustomer(deps, account, customer, { formerId: null, contact })

/**
 * Creates a customer again at a provider that no longer knows the customer, and commits the new id in place of the former one. Stored
 * methods are gone too, and are removed when they are next listed.
 */
export const recreateProviderCustomer = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  formerId: string,
  contact: Contact = {},
): Promise<string | null> => {
  const { customerId, resellerId } = customer
  const provider = account.provider.name
  deps.log.warn(
    { customerId, resellerId, provider, providerCustomerId: formerId },
    'the provider no longer knows a customer; it is created again',
  )
  await transactAsReseller(deps, resellerId, (db) => deleteProviderCustomer(db, customer, account.id, formerId))
  return findOrCreateProviderCustomer(deps, account, customer, { formerId, contact })
}

/** Runs `work` with the provider’s customer id, which is created if needed; once more with a new one when `work` throws CustomerGone. */
export const withProviderCustomer = async <T>(
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  work: (providerCustomerId: string | null) => Promise<T>,
  contact: Contact = {},
): Promise<T> => {
  const providerCustomerId = await ensureProviderCustomer(deps, account, customer, contact)
  try {
    return await work(providerCustomerId)
  } catch (error) {
    if (!(error instanceof CustomerGone) || providerCustomerId === null) throw error
    return work(await recreateProviderCustomer(deps, account, customer, providerCustomerId, contact))
  }
}

/**
 * The customer's stored id at the provider; a missing one is created there and committed here. A repeated creation gives the same customer
 * where the provider knows keys.
 */
const findOrCreateProviderCustomer = async (
  deps: PaymentsDeps,
  { id: accountId, provider, context }: Account,
  customer: CustomerScope,
  { formerId, contact }: { readonly formerId: string | null; readonly contact: Contact },
): Promise<string | null> => {
  if (provider.storing.createCustomer === undefined) return null
  const { customerId, resellerId } = customer
  const known = await transactAsReseller(deps, resellerId, async (db) => ({
    providerCustomerId: await findProviderCustomerId(db, customer, accountId),
    profile: await readCustomerProfile(db, customer),
  }))
  if (known.providerCustomerId !== null) return known.providerCustomerId
  // The key distinguishes this installation from others with the same account, and a new customer from the one that is gone.
  const key = deps.keys.mac('submit', 'owner', provider.name, String(customerId), ...(formerId === null ? [] : [formerId])).toString('hex')
  const providerCustomerId = await provider.storing.createCustomer(context, {
    reference: String(customerId),
    name: known.profile.label,
    key,
    contact,
  })
  return transactAsReseller(deps, resellerId, (db) => insertProviderCustomer(db, customer, accountId, providerCustomerId))
}
