import { lazy, Suspense } from 'react'
import { Select, type Option } from '../../ui/form/select.tsx'
import type { Account } from '../account.tsx'
import { switchCustomer } from './current-customer.ts'
import { loadModule } from '../../api/load-module.ts'

/** More customers than this get a combo box with search. */
const MAX_UNSEARCHED = 8

const ComboBox = lazy(() => loadModule(async () => ({ default: (await import('../../ui/form/combo-box.tsx')).ComboBox })))

/** Chooses the customer; a change reloads the page. Nothing with a single customer. */
export const CustomerSwitch = ({ customers, customer }: Pick<Account, 'customers' | 'customer'>) => {
  if (customers.length < 2) return null
  const options = customers.map(({ customerId, label }): Option => ({ id: String(customerId), label }))
  const Picker = customers.length > MAX_UNSEARCHED ? ComboBox : Select
  return (
    <Suspense>
      <Picker
        label="Customer"
        hideLabel
        options={options}
        value={String(customer.customerId)}
        onChange={(id) => switchCustomer(Number(id))}
      />
    </Suspense>
  )
}
