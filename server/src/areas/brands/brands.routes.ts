import { brands } from '@counterfoil/contract/brands'
import { notFound } from '../../kit/api-error.ts'
import type { Area } from '../../http/request-context.ts'
import { brandByDomain, brandById, brandImage } from './brands.queries.ts'

/** An SVG may carry a script: opened by itself it runs in a sandbox of its own, and inside an <img> never. */
const IMAGE_HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-site',
}

export const brandsArea: Area = (serve) => {
  serve(brands.byId, async ({ asSystem }, { params }) => {
    const brand = await asSystem((db) => brandById(db, params.id))
    if (brand === undefined) throw notFound()
    return brand
  })

  serve(brands.byDomain, async ({ asSystem }, { query }) => {
    const brand = await asSystem((db) => brandByDomain(db, query.d.toLowerCase()))
    if (brand === undefined) throw notFound()
    return brand
  })

  serve(brands.image, async ({ asSystem }, { params }) => {
    const image = await asSystem((db) => brandImage(db, params.id, params.kind))
    if (image === undefined) throw notFound()
    return { contentType: image.contentType, body: image.bytes, headers: IMAGE_HEADERS }
  })
}
