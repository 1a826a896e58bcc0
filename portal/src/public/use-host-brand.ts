import type { BrandSettings } from '@counterfoil/contract/brands'
import { useEffect, useState } from 'react'
import { applyBrand } from '../shell/theme/brand-theme.ts'
import { fetchHostBrand } from './host-brand.data.ts'

/** The brand while it loads, when it is loaded, and when loading failed. */
export type HostBrand = { readonly state: 'loading' | 'failed' } | { readonly state: 'known'; readonly brand: BrandSettings }

/**
 * Loads the brand of this host and applies its colours.
 * @param fetchBrand loads another brand in its place; the same function on every render
 */
export const useHostBrand = (fetchBrand: typeof fetchHostBrand = fetchHostBrand): HostBrand => {
  const [hostBrand, setFound] = useState<HostBrand>({ state: 'loading' })

  useEffect(() => {
    const controller = new AbortController()
    const showBrand = (brand: BrandSettings): void => {
      applyBrand(brand)
      setFound({ state: 'known', brand })
    }
    fetchBrand(controller.signal).then(showBrand, () => {
      if (!controller.signal.aborted) setFound({ state: 'failed' })
    })
    return () => controller.abort()
  }, [fetchBrand])

  return hostBrand
}
