import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../shell/account/account.tsx'
import { invoicesQuery } from '../../api/invoices.data.ts'
import { servicesQuery } from '../../api/services.data.ts'
import { LazyComboBox } from '../../shell/lazy-combo-box.tsx'
import { type Option, Select } from '../../ui/form/select.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { DEFAULT_OPTION } from './report-input.ts'

interface PickFieldProps {
  /** When false, "Default" is offered, which means all. */
  required: boolean
  value: string
  onChange: (id: string) => void
}

/** Longer lists get a search field. */
const MAX_SELECT_OPTIONS = 12

/** Selects the service of a report; loads the services itself. */
export const ServiceField = (props: PickFieldProps) => {
  const { data, isError, refetch } = useQuery(servicesQuery())
  if (isError && data === undefined) return <Unavailable subject="Services" onRetry={() => void refetch()} />
  return <PickField {...props} label="Service" options={data?.map(({ id, name }) => ({ id: String(id), label: name }))} />
}

/** Selects the invoice of a report, newest first; loads the invoices itself. */
export const InvoiceField = (props: PickFieldProps) => {
  const { singular, plural } = useAccount().settings.invoiceLabel
  const { data, isError, refetch } = useQuery(invoicesQuery())
  if (isError && data === undefined) return <Unavailable subject={plural} onRetry={() => void refetch()} />
  return <PickField {...props} label={singular} options={data?.map(({ id, number }) => ({ id: String(id), label: number }))} />
}

/** A select with "Default" first unless a choice is required; of more than `MAX_SELECT_OPTIONS`, a field that searches the options. */
const PickField = ({ required, value, onChange, label, options }: PickFieldProps & { label: string; options: Option[] | undefined }) => {
  const placeholder = { id: '', label: options === undefined ? 'Loading…' : 'Choose…' }
  const allOptions = [...(required ? (value === '' ? [placeholder] : []) : [{ id: DEFAULT_OPTION, label: 'Default' }]), ...(options ?? [])]
  const Field = allOptions.length > MAX_SELECT_OPTIONS ? LazyComboBox : Select
  // How many options there are decides the kind of field, so a list opened before that would close by itself.
  return <Field label={label} options={allOptions} value={value} onChange={onChange} isDisabled={options === undefined} />
}
