/** The API's numbers of the states of an invoice. */
export const INVOICE_STATUS = { open: 1, overdue: 5, inCollection: 7, credited: 9, paid: 11 } as const

export type InvoiceStatus = (typeof INVOICE_STATUS)[keyof typeof INVOICE_STATUS]
