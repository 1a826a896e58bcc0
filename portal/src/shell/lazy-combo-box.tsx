import { lazy, Suspense } from 'react'
import { loadModule } from '../api/load-module.ts'
import { Select, type SelectProps } from '../ui/form/select.tsx'

const ComboBox = lazy(() => loadModule(async () => ({ default: (await import('../ui/form/combo-box.tsx')).ComboBox })))

/** A combo box whose code is loaded when it is first shown. Until then a select in its place shows the value. */
export const LazyComboBox = (props: SelectProps) => (
  <Suspense fallback={<Select {...props} options={props.options.filter(({ id }) => id === props.value)} isDisabled />}>
    <ComboBox {...props} />
  </Suspense>
)
