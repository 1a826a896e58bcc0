import type { BrandSettings } from '@counterfoil/contract/brands'
import { useEffect, useState } from 'react'
import { applyBrand } from '../shell/theme/brand-theme.ts'
import { brandOfHost } from './host-brand.data.ts'

/** What is known of the brand: nothing yet, the brand, or that it could not be loaded. */
export type HostBrand = { readonly state: 'loading' | 'failed' } | { readonly state: 'known'; readonly brand: BrandSettings }

/** Loads the brand of this host and paints the page in its colours. */
export const useHostBrand = (): HostBrand => {
  const [found, setFound] = useState<HostBrand>({ state: 'loading' })

  useEffect(() => {
    const stop = new AbortController()
    const paint = (brand: BrandSettings): void => {
      applyBrand(brand)
      setFound({ state: 'known', brand })
    }
    brandOfHost(stop.signal).then(paint, () => {
      if (!stop.signal.aborted) setFound({ state: 'failed' })
    })
    return () => stop.abort()
  }, [])

  return found
}
