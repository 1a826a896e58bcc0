/** The states of an invoice as the API numbers them (decisions.md, Answers). */
export const INVOICE_STATUS = { open: 1, overdue: 5, inCollection: 7, credited: 9, paid: 11 } as const

export type InvoiceStatus = (typeof INVOICE_STATUS)[keyof typeof INVOICE_STATUS]
