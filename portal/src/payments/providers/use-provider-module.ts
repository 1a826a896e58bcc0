import { type Resource, useResource } from '../../ui/use-resource.ts'

/**
 * Loads the code of a part of a payment form. A retry after a failure reloads the page.
 * @param load  a member of ProviderPanel, or a constant import; null to load nothing
 */
export const useProviderModule = <Module>(load: (() => Promise<Module>) | null): Resource<Module> => {
  const module = useResource(load)
  // Browsers may remember that a module failed to load, until the page is reloaded.
  return module.state === 'failed' ? { state: 'failed', retry: () => location.reload() } : module
}
