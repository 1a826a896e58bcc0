import type { InvoiceDocument } from '../invoice-document.ts'

/** The columns of customer, reseller, brand and logo that every document head needs. */
export const LETTERHEAD = [
  'customer.label as customerLabel',
  'customer.address_lines as customerAddress',
  'customer.external_id as customerReference',
  'customer.currency_symbol as currencySymbol',
  'reseller.company_name as companyName',
  'reseller.company_number as companyNumber',
  'reseller.address_lines as companyAddress',
  'reseller.email as companyEmail',
  'reseller.phone as companyPhone',
  'brand.name as brandName',
  'brand.colour2 as brandColour',
  'logo.content_type as logoType',
  'logo.bytes as logoBytes',
] as const

/** A row of those columns. */
export interface LetterheadRow {
  readonly customerLabel: string
  readonly customerAddress: string[]
  readonly customerReference: string | null
  readonly companyName: string
  readonly companyNumber: string | null
  readonly companyAddress: string[]
  readonly companyEmail: string | null
  readonly companyPhone: string | null
  readonly brandName: string
  readonly brandColour: string
  readonly logoType: string | null
  readonly logoBytes: Buffer | null
}

/** Seller, customer and brand of a document. */
export const toParties = (row: LetterheadRow): Pick<InvoiceDocument, 'seller' | 'customer' | 'brand'> => ({
  seller: {
    name: row.companyName,
    addressLines: row.companyAddress,
    companyNumber: row.companyNumber,
    email: row.companyEmail,
    phone: row.companyPhone,
  },
  customer: { name: row.customerLabel, addressLines: row.customerAddress, reference: row.customerReference },
  brand: {
    name: row.brandName,
    colour: row.brandColour,
    logo: row.logoBytes === null || row.logoType === null ? null : { contentType: row.logoType, bytes: row.logoBytes },
  },
})
