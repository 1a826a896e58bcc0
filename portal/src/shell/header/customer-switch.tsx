import { lazy, Suspense } from 'react'
import { Select, type Option } from '../../ui/form/select.tsx'
import type { Account } from '../account.tsx'
import { switchCustomer } from './current-customer.ts'
import { fetchPart } from '../../api/load-module.ts'

/** More names than one sees at a glance are searched by typing. */
const FEW = 8

const SearchPicker = lazy(() => fetchPart(async () => ({ default: (await import('../../ui/form/search-picker.tsx')).SearchPicker })))

/** The customer that is acted for; choosing another one loads the page anew. Nothing with a single customer. */
export const CustomerSwitch = ({ customers, customer }: Pick<Account, 'customers' | 'customer'>) => {
  if (customers.length < 2) return null
  const options = customers.map(({ customerId, label }): Option => ({ id: String(customerId), label }))
  const Picker = customers.length > FEW ? SearchPicker : Select
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
