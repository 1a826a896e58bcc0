import type { BrandPicture } from '@counterfoil/contract/brands'
import type { FileResponse } from '../../http/request-context.ts'
import type { Transact } from '../../db/transact.ts'
import { notFound } from '../../kit/api-error.ts'
import { brandById, type BrandImage, brandImage } from './brands.queries.ts'

export interface BrandsDeps {
  brandOfHost(host: string): Promise<number | undefined>
}

const PICTURE_CACHE = 'public, max-age=300'
/** Browsers ask for icons on every page. */
const ICON_CACHE = 'public, max-age=3600'

/**
 * A picture as a response that browsers may cache. An SVG may contain scripts: the CSP sandboxes it when it is opened by itself; inside an
 * <img> no script runs.
 */
const toPicture = ({ contentType, bytes }: BrandImage, cache: string): FileResponse => ({
  contentType,
  body: bytes,
  headers: {
    'cache-control': cache,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-site',
  },
})

/** A picture that was stored for the brand. @throws ApiError 404 without one */
export const loadPicture = async (transact: Transact, brandId: number, kind: BrandPicture): Promise<FileResponse> => {
  const picture = await transact((db) => brandImage(db, brandId, kind))
  if (picture === undefined) throw notFound()
  return toPicture(picture, PICTURE_CACHE)
}

/**
 * The brand's stored icon, else one drawn of its name and colour; a touch icon is always a PNG, because phones show no other.
 * @throws ApiError 404 without such a brand
 */
export const loadIcon = async (transact: Transact, brandId: number, kind: 'icon' | 'touch-icon'): Promise<FileResponse> => {
  const { picture, brand } = await transact(async (db) => ({
    picture: await brandImage(db, brandId, 'icon'),
    brand: await brandById(db, brandId),
  }))
  if (brand === undefined) throw notFound()
  if (picture !== undefined && (kind === 'icon' || picture.contentType === 'image/png')) return toPicture(picture, ICON_CACHE)
  const { drawPngIcon, drawSvgIcon } = await import('../../documents/icon/brand-icon.ts') // loads fonts
  const look = { name: brand.name, colour: brand.colour2 }
  return kind === 'icon'
    ? toPicture({ contentType: 'image/svg+xml', bytes: Buffer.from(drawSvgIcon(look)) }, ICON_CACHE)
    : toPicture({ contentType: 'image/png', bytes: drawPngIcon(look) }, ICON_CACHE)
}
