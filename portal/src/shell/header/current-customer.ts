import type { Customer } from '@counterfoil/contract/customers'
import { storeCustomerId, currentCustomerId } from '../../api/session.ts'

/**
 * The customer to start with: the stored one if the user may see it, else the one marked as selected, else the first.
 * @returns undefined without any customer
 */
export const preferredCustomer = (customers: readonly Customer[], storedId: number | null): Customer | undefined =>
  customers.find(({ customerId }) => customerId === storedId) ?? customers.find(({ selected }) => selected) ?? customers[0]

/** Chooses the customer at start-up and keeps its id in the local storage, so that every later request carries it. */
export const chooseStartCustomer = (customers: readonly Customer[]): Customer | undefined => {
  const stored = currentCustomerId()
  const customer = preferredCustomer(customers, stored)
  if (customer && customer.customerId !== stored) storeCustomerId(customer.customerId)
  return customer
}

/** Switches to another customer: keeps its id in the local storage and reloads the page. */
export const switchCustomer = (customerId: number): void => {
  storeCustomerId(customerId)
  location.reload()
}
