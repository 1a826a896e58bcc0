import { invoices } from '@counterfoil/contract/invoices'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { Area } from '../../http/request-context.ts'
import { invoiceRows } from './invoices.queries.ts'
import { invoiceOf } from './invoices.rules.ts'
import { invoiceDocument, type InvoicesHouse } from './invoices.service.ts'

export const invoicesArea =
  (house: InvoicesHouse): Area =>
  (serve) => {
    serve(invoices.list, async ({ scope, within, now }) => {
      const rows = await within((db) => invoiceRows(db, scope))
      return rows.map((row) => invoiceOf(row, dayOf(now)))
    })
    serve(invoices.document, (ask, { params }) => invoiceDocument(house, ask, params.id))
  }
