import type { ComponentType } from 'react'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { useProviderModule } from './use-provider-module.ts'

/** Makes a component of a dialog whose code is loaded when the dialog is first opened. */
export const loadedDialog =
  <Props extends object>(load: () => Promise<{ readonly Dialog: ComponentType<Props> }>): ComponentType<Props> =>
  (props) => {
    const module = useProviderModule(load)
    return module.state === 'ready' ? <module.value.Dialog {...props} /> : <ResourceStatus resource={module} subject="The form" />
  }
