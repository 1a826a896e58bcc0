import { usage } from '@counterfoil/contract/usage'
import type { RegisterArea } from '../../http/request-context.ts'
import { filterChoices, recordTypes } from './usage.queries.ts'
import { readUsagePage } from './usage-page.service.ts'
import { openUsageDownload, readUsageSummary, type UsageDeps } from './usage.service.ts'

/** Registers the endpoints of usage: page, sums, choices of the filter, record types, CSV download. */
export const usageArea =
  (deps: UsageDeps): RegisterArea =>
  (route) => {
    route(usage.list, (request, { query }) => readUsagePage(deps, request, query))
    route(usage.summary, (request, { query }) => readUsageSummary(request, query))
    route(usage.filters, ({ scope, transact }) => transact((db) => filterChoices(db, scope), { usage: 'replica' }))
    route(usage.recordTypes, ({ scope, transact }) => transact((db) => recordTypes(db, scope), { usage: 'replica' }))
    route(usage.download, (request, { body }) => openUsageDownload(deps, request, body))
  }
