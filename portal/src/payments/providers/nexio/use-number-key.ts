import { useCallback } from 'react'
import { useResource } from '../../../ui/use-resource.ts'
import { type NumberKey, NO_KEY_TEXT, readNumberKey } from './number-key.ts'

/** The RSA key that encrypts numbers, read from its text; null while it is read and where the text is no key, which `error` says. */
export const useNumberKey = (publishableKey: string | null): { readonly key: NumberKey | null; readonly error: string | null } => {
  const resource = useResource(useCallback(async () => ({ key: await readNumberKey(publishableKey) }), [publishableKey]))
  const key = resource.state === 'ready' ? resource.value.key : null
  return { key, error: resource.state === 'ready' && key === null ? NO_KEY_TEXT : null }
}
