import { brands, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { type BrandsDeps, loadIcon, loadPicture } from './brands.service.ts'
import { brandByDomain, brandById } from './brands.queries.ts'

/** Registers the public endpoints of a brand's settings, by id or domain, and of its pictures and icons. */
export const brandsArea =
  (deps: BrandsDeps): RegisterArea =>
  (route) => {
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

    route(brands.image, ({ transactAsSystem }, { params: { id, kind } }) =>
      kind === 'icon' || kind === 'touch-icon' ? loadIcon(transactAsSystem, id, kind) : loadPicture(transactAsSystem, id, kind),
    )

    route(brands.hostIcon, async ({ transactAsSystem, requestInfo }, { params }) =>
      loadIcon(transactAsSystem, (await deps.brandOfHost(requestInfo.host)) ?? FALLBACK_BRAND, params.kind),
    )
  }
