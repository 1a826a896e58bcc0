import { type Resource, useResource } from '../../ui/use-resource.ts'

/**
 * Loads a module of a provider.
 * @param load  a member of ProviderPanel
 */
export const useProviderModule = <Module>(load: () => Promise<Module>): Resource<Module> => {
  const module = useResource(load)
  // Browsers may remember that a module failed to load, until the page is reloaded.
  return module.state === 'failed' ? { state: 'failed', retry: () => location.reload() } : module
}
