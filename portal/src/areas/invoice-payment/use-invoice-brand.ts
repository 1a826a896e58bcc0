import type { BrandSettings } from '@counterfoil/contract/brands'
import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { useEffect, useState } from 'react'
import { applyBrand } from '../../shell/theme/brand-theme.ts'
import { brandOf } from './invoice-payment.data.ts'

/** The brand of the invoice, and the page in its colours; null until it is known. Without it the page keeps the colours that it has. */
export const useBrandOf = (invoice: Pick<InvoicePayment, 'brandId'> | null): BrandSettings | null => {
  const [brand, setBrand] = useState<BrandSettings | null>(null)
  const id = invoice?.brandId

  useEffect(() => {
    if (id === undefined) return undefined
    const stop = new AbortController()
    const paint = (found: BrandSettings): void => {
      applyBrand(found)
      setBrand(found)
    }
    brandOf(id, stop.signal).then(paint, (failure: unknown) => {
      if (!stop.signal.aborted) console.error(failure)
    })
    return () => stop.abort()
  }, [id])

  return brand
}
