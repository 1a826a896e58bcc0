import type { InvoiceDocument } from '../invoice-document.ts'

/** The columns of customer, reseller, brand and logo that every document head needs. */
export const LETTERHEAD = [
  'customer.label as customerLabel',
  'customer.address_lines as customerAddress',
  'customer.external_id as customerReference',
  'reseller.legal_name as legalName',
  'reseller.registration_number as registrationNumber',
  'reseller.address_lines as contactAddress',
  'reseller.email as contactEmail',
  'reseller.phone as contactPhone',
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
  readonly legalName: string
  readonly registrationNumber: string | null
  readonly contactAddress: string[]
  readonly contactEmail: string | null
  readonly contactPhone: string | null
  readonly brandName: string
  readonly brandColour: string
  readonly logoType: string | null
  readonly logoBytes: Buffer | null
}

/** Seller, customer and brand of a document, from a row of LETTERHEAD. */
export const toParties = (row: LetterheadRow): Pick<InvoiceDocument, 'seller' | 'customer' | 'brand'> => ({
  seller: {
    name: row.legalName,
    addressLines: row.contactAddress,
    registrationNumber: row.registrationNumber,
    email: row.contactEmail,
    phone: row.contactPhone,
  },
  customer: { name: row.customerLabel, addressLines: row.customerAddress, reference: row.customerReference },
  brand: {
    name: row.brandName,
    colour: row.brandColour,
    logo: row.logoBytes === null || row.logoType === null ? null : { contentType: row.logoType, bytes: row.logoBytes },
  },
})
