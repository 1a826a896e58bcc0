import { invoices } from '@counterfoil/contract/invoices'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { Area } from '../../http/request-context.ts'
import { invoiceRows } from './invoices.queries.ts'
import { invoiceOf } from './invoices.rules.ts'
import { invoiceDocument, type InvoicesDeps } from './invoices.service.ts'

export const invoicesArea =
  (deps: InvoicesDeps): Area =>
  (serve) => {
    serve(invoices.list, async ({ scope, within, now }) => {
      const rows = await within((db) => invoiceRows(db, scope))
      return rows.map((row) => invoiceOf(row, dayOf(now)))
    })
    serve(invoices.document, (ask, { params }) => invoiceDocument(deps, ask, params.id))
  }
