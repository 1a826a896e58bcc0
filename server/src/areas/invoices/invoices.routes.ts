import { invoices } from '@counterfoil/contract/invoices'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { RegisterArea } from '../../http/request-context.ts'
import { listFeeRules } from '../../payments/engine/claim.queries.ts'
import { applicableFeeRules } from '../../payments/accounts/fees.rules.ts'
import { findProviderFor } from '../../payments/payments-deps.ts'
import { listInvoiceRows } from './invoices.queries.ts'
import { toInvoice } from './invoices.rules.ts'
import { type ArchiveDeps, openInvoiceArchive } from './archive.service.ts'
import { loadInvoicePdf } from './invoices.service.ts'

/** Registers the endpoints of the customer's invoices: the list, one as a PDF, several as an archive. */
export const invoicesArea =
  (deps: ArchiveDeps): RegisterArea =>
  (route) => {
    route(invoices.list, async ({ scope, read, now }) => {
      const [rows, rules] = await read((db) => Promise.all([listInvoiceRows(db, scope), listFeeRules(db, scope.resellerId)]))
      const feeRules = applicableFeeRules(rules, findProviderFor(deps.payments, rows[0]?.provider ?? '')?.amounts)
      const today = dayOf(now)
      return rows.map((row) => toInvoice(row, { keys: deps.payments.keys, today, feeRules }))
    })
    route(invoices.archive, (request, { query }) => openInvoiceArchive(deps, request, query))
    route(invoices.document, (request, { params }) => loadInvoicePdf(deps, request, params.id))
  }
