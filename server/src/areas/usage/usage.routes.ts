import { usage } from '@counterfoil/contract/usage'
import type { Area } from '../../http/request-context.ts'
import { recordTypes } from './usage.queries.ts'
import { usageDownload, type UsageDeps, usagePage } from './usage.service.ts'

export const usageArea =
  (deps: UsageDeps): Area =>
  (serve) => {
    serve(usage.list, (ask, { query }) => usagePage(deps, ask, query))
    serve(usage.recordTypes, ({ scope, within }) => within((db) => recordTypes(db, scope)))
    serve(usage.download, (ask, { body }) => usageDownload(deps, ask, body))
  }
