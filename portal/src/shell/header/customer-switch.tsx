import { LazyComboBox } from '../lazy-combo-box.tsx'
import { Select, type Option } from '../../ui/form/select.tsx'
import type { SignedInAccount } from '../account/account.tsx'
import { switchCustomer } from './current-customer.ts'

/** More customers than this get a combo box with search. */
const MAX_UNSEARCHED = 8

/** Chooses the customer; a change reloads the page. Nothing with a single customer. */
export const CustomerSwitch = ({ customers, customer }: Pick<SignedInAccount, 'customers' | 'customer'>) => {
  if (customers.length < 2) return null
  const options = customers.map(({ customerId, label }): Option => ({ id: String(customerId), label }))
  const Picker = customers.length > MAX_UNSEARCHED ? LazyComboBox : Select
  return (
    <Picker
      label="Customer"
      hideLabel
      options={options}
      value={String(customer.customerId)}
      onChange={(id) => switchCustomer(Number(id))}
    />
  )
}
