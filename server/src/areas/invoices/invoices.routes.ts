import { invoices } from '@counterfoil/contract/invoices'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { RegisterArea } from '../../http/request-context.ts'
import { invoiceRows } from './invoices.queries.ts'
import { toInvoice } from './invoices.rules.ts'
import { loadInvoicePdf, type InvoicesDeps } from './invoices.service.ts'

export const invoicesArea =
  (deps: InvoicesDeps): RegisterArea =>
  (route) => {
    route(invoices.list, async ({ scope, transact, now }) => {
      const rows = await transact((db) => invoiceRows(db, scope))
      return rows.map((row) => toInvoice(row, dayOf(now)))
    })
    route(invoices.document, (request, { params }) => loadInvoicePdf(deps, request, params.id))
  }
