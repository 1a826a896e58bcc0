import type { Customer } from '@counterfoil/contract/customers'
import { storeCustomerId, currentCustomerId } from '../../api/session.ts'

/**
 * The customer to act for: the stored one if it is among them, else the one marked selected, else the first.
 * @returns undefined when there is none at all
 * Source: portal.md §4 (Start-up); decisions.md: a stored customer that is not in `me` is ignored.
 */
export const preferredCustomer = (customers: readonly Customer[], storedId: number | null): Customer | undefined =>
  customers.find(({ customerId }) => customerId === storedId) ?? customers.find(({ selected }) => selected) ?? customers[0]

/** Chooses at start-up and stores the choice, so that every later call carries it. */
export const chooseStartCustomer = (customers: readonly Customer[]): Customer | undefined => {
  const stored = currentCustomerId()
  const customer = preferredCustomer(customers, stored)
  if (customer && customer.customerId !== stored) storeCustomerId(customer.customerId)
  return customer
}

/** Acts for another customer from now on: stores it and loads the page anew (portal.md §4). */
export const switchCustomer = (customerId: number): void => {
  storeCustomerId(customerId)
  location.reload()
}
