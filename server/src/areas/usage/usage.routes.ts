import { usage } from '@counterfoil/contract/usage'
import type { RegisterArea } from '../../http/request-context.ts'
import { recordTypes } from './usage.queries.ts'
import { usageDownload, type UsageDeps, usagePage } from './usage.service.ts'

export const usageArea =
  (deps: UsageDeps): RegisterArea =>
  (route) => {
    route(usage.list, (ask, { query }) => usagePage(deps, ask, query))
    route(usage.recordTypes, ({ scope, transact }) => transact((db) => recordTypes(db, scope)))
    route(usage.download, (ask, { body }) => usageDownload(deps, ask, body))
  }
