import { type BrandSettings, brands, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { needsDarkText } from '@counterfoil/contract/kit/colour/contrast'
import { type ReactNode, type SyntheticEvent, useState, useSyncExternalStore } from 'react'
import { currentSurface, onSurfaceChange } from './brand-theme.ts'
import { plateFor } from './logo-plate.ts'

interface BrandImageProps {
  readonly brand: Pick<BrandSettings, 'id' | 'hasDarkLogo'>
  readonly kind: 'logo' | 'banner'
  /** The alternative text; empty for decoration. */
  readonly alt: string
  readonly className?: string | undefined
  /** Shown when brand 0 has no such picture either. */
  readonly fallback?: ReactNode
}

/**
 * A brand's picture; brand 0's when it fails to load. On a dark surface its second logo, where it has one, and a logo that cannot be read
 * on its ground stands on a plate.
 */
export const BrandImage = ({ brand, kind, alt, className, fallback = null }: BrandImageProps) => {
  const surface = useSyncExternalStore(onSurfaceChange, currentSurface)
  const [failed, setFailed] = useState<readonly string[]>([])
  const isLogo = kind === 'logo'
  const source = [
    ...(isLogo && brand.hasDarkLogo && !needsDarkText(surface) ? [pictureOf(brand.id, 'logo-dark')] : []),
    pictureOf(brand.id, kind),
    pictureOf(FALLBACK_BRAND, kind),
  ].find((candidate) => !failed.includes(candidate))
  if (source === undefined) return fallback

  const layPlate = ({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): void => {
    if (isLogo) image.style.background = plateFor(image, surface)
  }
  return (
    <img
      key={isLogo ? source + surface : source} // a new surface lets the logo be measured again
      className={className}
      src={source}
      alt={alt}
      onLoad={layPlate}
      onError={() => setFailed([...failed, source])}
    />
  )
}

/** The URL path of a brand's picture. */
const pictureOf = (brandId: number, kind: string): string => brands.image.path.replace('{id}', String(brandId)).replace('{kind}', kind)
