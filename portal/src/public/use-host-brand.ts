import type { BrandSettings } from '@counterfoil/contract/brands'
import { useEffect, useState } from 'react'
import { applyBrand } from '../shell/theme/brand-theme.ts'
import { fetchHostBrand } from './host-brand.data.ts'

/** What is known of the brand: nothing yet, the brand, or that it could not be loaded. */
export type HostBrand = { readonly state: 'loading' | 'failed' } | { readonly state: 'known'; readonly brand: BrandSettings }

/** Loads the brand of this host and paints the page in its colours. */
export const useHostBrand = (): HostBrand => {
  const [hostBrand, setFound] = useState<HostBrand>({ state: 'loading' })

  useEffect(() => {
    const controller = new AbortController()
    const showBrand = (brand: BrandSettings): void => {
      applyBrand(brand)
      setFound({ state: 'known', brand })
    }
    fetchHostBrand(controller.signal).then(showBrand, () => {
      if (!controller.signal.aborted) setFound({ state: 'failed' })
    })
    return () => controller.abort()
  }, [])

  return hostBrand
}
