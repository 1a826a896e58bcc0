import type { InvoiceDocument, InvoiceLine } from '../../invoice-document.ts'

/** A realistic invoice line. */
export const sampleLine = (overrides: Partial<InvoiceLine> = {}): InvoiceLine => ({
  service: 'Internet access',
  description: 'Business fibre 1 Gbit/s',
  serviceItem: 'FIB-00120',
  fromDay: '2026-11-01',
  toDay: '2026-11-30',
  quantity: '1',
  unit: null,
  unitPrice: '189.00',
  amount: '189.00',
  ...overrides,
})

/** A realistic open invoice with one line. */
export const sampleInvoice = (overrides: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  title: 'Invoice',
  number: 'INV-2026-00417',
  issuedOn: '2026-12-01',
  dueOn: '2026-12-15',
  periodLabel: 'November 2026',
  currency: 'USD',
  currencySymbol: '$',
  seller: {
    name: 'Northwind Telecom Ltd',
    addressLines: ['14 Harbour Street', 'Wellington 6011', 'New Zealand'],
    registrationNumber: 'Company no. 9429 0410 11',
    email: 'billing@northwind.example',
    phone: '+64 4 555 0142',
  },
  customer: { name: 'Acme Plumbing & Sons Limited', addressLines: ['220 Cathedral Square', 'Christchurch 8011'], reference: 'PO 77120' },
  status: 'open',
  lines: [sampleLine()],
  netTotal: '189.00',
  taxes: [{ name: 'GST', ratePercent: '15', base: '189.00', amount: '28.35' }],
  total: '217.35',
  amountDue: '217.35',
  adjustments: { net: null, tax: null, due: null },
  corrects: null,
  credit: null,
  paymentUrl: 'https://portal.northwind.example/pay/8e1f0c52',
  terms: 'Payment is due within 14 days.\nQuestions? Write to billing@northwind.example.',
  brand: { name: 'Northwind', colour: '#0f8f86', logo: { contentType: 'image/svg+xml', bytes: new TextEncoder().encode(LOGO) } },
  language: 'en',
  ...overrides,
})

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 180 40">
  <circle cx="20" cy="20" r="16" fill="#0f8f86"/>
  <path d="M12 20a8 8 0 0 1 16 0" fill="none" stroke="#fff" stroke-width="3"/>
  <text x="46" y="27" font-family="Inter, sans-serif" font-weight="bold" font-size="20" fill="#112233">Northwind</text>
</svg>`
