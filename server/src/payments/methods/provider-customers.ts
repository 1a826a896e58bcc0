import type { Account } from '../accounts/accounts.ts'
import { customerFacts, dropOwner, keepOwner, ownerRow } from '../accounts/accounts.queries.ts'
import { transactAsReseller, type CustomerKey, type PaymentsDeps } from '../payments-deps.ts'
import { CustomerGone } from '../providers/provider.ts'

/** Who the customer is at the company, which is asked to make it known when it is not yet; null where the company keeps no customers. */
export const providerCustomerOf = (deps: PaymentsDeps, account: Account, payer: CustomerKey): Promise<string | null> =>
  ownerAfter(deps, account, payer, null)

/**
 * Makes a customer known anew whom the company does not know any more. What it had stored there is gone with it, and is forgotten when
 * its methods are next listed.
 */
export const recreateProviderCustomer = async (
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerKey,
  former: string,
): Promise<string | null> => {
  const { customerId, resellerId } = payer
  const provider = account.provider.name
  deps.log.warn({ customerId, resellerId, provider, owner: former }, 'the company does not know a customer any more; it is made known anew')
  await transactAsReseller(deps, resellerId, (db) => dropOwner(db, customerId, provider, former))
  return ownerAfter(deps, account, payer, former)
}

/** Does something for a customer at the company; for one whom the company does not know any more, once more as the one that is made anew. */
export const forOwner = async <T>(
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerKey,
  work: (owner: string | null) => Promise<T>,
): Promise<T> => {
  const owner = await providerCustomerOf(deps, account, payer)
  try {
    return await work(owner)
  } catch (error) {
    if (!(error instanceof CustomerGone) || owner === null) throw error
    return work(await recreateProviderCustomer(deps, account, payer, owner))
  }
}

const ownerAfter = async (
  deps: PaymentsDeps,
  { provider, call }: Account,
  { customerId, resellerId }: CustomerKey,
  former: string | null,
): Promise<string | null> => {
  if (provider.createCustomer === undefined) return null
  const known = await transactAsReseller(deps, resellerId, async (db) => ({
    owner: await ownerRow(db, customerId, provider.name),
    facts: await customerFacts(db, customerId),
  }))
  if (known.owner !== null) return known.owner
  // The key tells this installation from others that speak to the same account, and a new customer from the one that is gone.
  const key = deps.keys.mac('submit', 'owner', provider.name, String(customerId), ...(former === null ? [] : [former])).toString('hex')
  const owner = await provider.createCustomer(call, { reference: String(customerId), name: known.facts.label, key })
  return transactAsReseller(deps, resellerId, (db) => keepOwner(db, customerId, provider.name, owner))
}
