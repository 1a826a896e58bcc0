import { usage } from '@counterfoil/contract/usage'
import type { RegisterArea } from '../../http/request-context.ts'
import { recordTypes } from './usage.queries.ts'
import { openUsageDownload, type UsageDeps, readUsagePage } from './usage.service.ts'

export const usageArea =
  (deps: UsageDeps): RegisterArea =>
  (route) => {
    route(usage.list, (request, { query }) => readUsagePage(deps, request, query))
    route(usage.recordTypes, ({ scope, transact }) => transact((db) => recordTypes(db, scope)))
    route(usage.download, (request, { body }) => openUsageDownload(deps, request, body))
  }
