import { brands } from '@counterfoil/contract/brands'
import { notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { brandByDomain, brandById, brandImage } from './brands.queries.ts'

/** An SVG may contain scripts: they are sandboxed when it is opened by itself, and never run inside an <img>. */
const IMAGE_HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-site',
}

export const brandsArea: RegisterArea = (route) => {
  route(brands.byId, async ({ transactAsSystem }, { params }) => {
    const brand = await transactAsSystem((db) => brandById(db, params.id))
    if (brand === undefined) throw notFound()
    return brand
  })

  route(brands.byDomain, async ({ transactAsSystem }, { query }) => {
    const brand = await transactAsSystem((db) => brandByDomain(db, query.d.toLowerCase()))
    if (brand === undefined) throw notFound()
    return brand
  })

  route(brands.image, async ({ transactAsSystem }, { params }) => {
    const image = await transactAsSystem((db) => brandImage(db, params.id, params.kind))
    if (image === undefined) throw notFound()
    return { contentType: image.contentType, body: image.bytes, headers: IMAGE_HEADERS }
  })
}
