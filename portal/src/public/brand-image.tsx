import { FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { type ReactNode, useState } from 'react'
import { brandImageUrl } from './host-brand.data.ts'

interface BrandImageProps {
  readonly brandId: number
  readonly kind: 'logo' | 'banner'
  /** The alternative text; empty for decoration. */
  readonly alt: string
  readonly className: string | undefined
  /** Shown when brand 0 has no such picture either. */
  readonly fallback?: ReactNode
}

/** A brand's picture; brand 0's when it fails to load. */
export const BrandImage = ({ brandId, kind, alt, className, fallback = null }: BrandImageProps) => {
  const [failed, setFailed] = useState<readonly number[]>([])
  const id = [brandId, FALLBACK_BRAND].find((id) => !failed.includes(id))
  if (id === undefined) return fallback
  return <img className={className} src={brandImageUrl(id, kind)} alt={alt} onError={() => setFailed([...failed, id])} />
}
