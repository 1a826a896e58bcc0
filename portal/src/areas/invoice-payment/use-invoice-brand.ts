import type { BrandSettings } from '@counterfoil/contract/brands'
import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { useEffect, useState } from 'react'
import { applyBrandIcons } from '../../shell/theme/brand-icons.ts'
import { applyBrand } from '../../shell/theme/brand-theme.ts'
import { fetchBrand } from './invoice-payment.data.ts'

/** Loads the invoice's brand and applies its colours and icons. Null until it is loaded; without it the page keeps its colours. */
export const useInvoiceBrand = (invoice: Pick<InvoicePayment, 'brandId'> | null): BrandSettings | null => {
  const [brand, setBrand] = useState<BrandSettings | null>(null)
  const id = invoice?.brandId

  useEffect(() => {
    if (id === undefined) return undefined
    const controller = new AbortController()
    const showBrand = (loadedBrand: BrandSettings): void => {
      applyBrand(loadedBrand)
      applyBrandIcons(loadedBrand.id)
      setBrand(loadedBrand)
    }
    fetchBrand(id, controller.signal).then(showBrand, (failure: unknown) => {
      if (!controller.signal.aborted) console.error(failure)
    })
    return () => controller.abort()
  }, [id])

  return brand
}
