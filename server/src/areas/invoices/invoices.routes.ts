import { invoices } from '@counterfoil/contract/invoices'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { RegisterArea } from '../../http/request-context.ts'
import { invoiceRows } from './invoices.queries.ts'
import { invoiceOf } from './invoices.rules.ts'
import { invoiceDocument, type InvoicesDeps } from './invoices.service.ts'

export const invoicesArea =
  (deps: InvoicesDeps): RegisterArea =>
  (route) => {
    route(invoices.list, async ({ scope, transact, now }) => {
      const rows = await transact((db) => invoiceRows(db, scope))
      return rows.map((row) => invoiceOf(row, dayOf(now)))
    })
    route(invoices.document, (ask, { params }) => invoiceDocument(deps, ask, params.id))
  }
