import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, messages, mobileData } from './service-templates.ts'

export const atlantic: ResellerProfile = {
  id: 3001,
  name: 'Atlantic Voice',
  user: { username: 'us', displayName: 'Jordan Ames' },
  legalEntity: {
    name: 'Atlantic Voice LLC',
    number: 'EIN 00-5550131',
    addressLines: ['210 Harbor Street, Suite 400', 'Portland, ME 04101', 'United States'],
    email: 'billing@atlantic.example',
    phone: '(207) 555-0131',
  },
  currency: 'USD',
  currencySymbol: '$',
  invoicePrefix: 'AV',
  terms: 'Net 21 days. A processing fee applies to card payments and bank debits.',
  termDays: 21,
  payment: {
    type: 1,
    directDebitMethodId: 2,
    takesDebits: true,
    billingAddressRequired: true,
    fees: [
      { line: 'CREDIT_CARD_FEE', percent: '2.9', fixedMinor: 30 },
      { line: 'DIRECT_DEBIT_FEE', percent: '0', fixedMinor: 75 },
    ],
    adjustment: { description: 'Late payment fee, August', amountMinor: 1250 },
  },
  taxes: [
    { name: 'Maine Service Provider Tax', rateMilli: 6000 },
    { name: 'Federal Universal Service Charge', rateMilli: 3340 },
  ],
  brand: {
    domain: 'atlantic.example',
    colours: ['#0f2238', '#0e7c86', '#1a2733', '#cdd8de', '#f2f6f7', '#dff1f1', '#17a2a8'],
    itemLabel: 'Phone Number',
    help: {
      help_email: 'billing@atlantic.example',
      help_phone: '(207) 555-0131',
      help_hours: 'Weekdays 8 am to 6 pm Eastern',
      terms_url: 'https://www.atlantic.example/terms',
      privacy_url: 'https://www.atlantic.example/privacy',
    },
    logo: {
      mark: 'waves',
      ink: '#178a94',
      accent: '#a9ecea',
      words: [
        { text: 'Atlantic', weight: 'extrabold' },
        { text: ' Voice', weight: 'regular' },
      ],
    },
    banner: { from: '#11808c', to: '#0a1c33', motif: 'waves' },
  },
  utcOffset: -5,
  services: [
    calls({
      name: 'SIP Trunking',
      itemLabel: 'Phone Number',
      plan: { label: 'Business Line', code: 'AV-LINE', feeMinor: 1895 },
      number: '(207) 555-01##',
      records: [
        ['Outbound call, domestic', '0.0098', '(617) 555-0144', '(212) 555-0190', '(603) 555-0117'],
        ['Inbound toll-free call', '0.0215', '(800) 555-0100'],
        ['Outbound call, international', '0.0635', '+44 20 7946 0311', '+1 416 555 0172'],
      ],
    }),
    messages({
      name: 'Messaging',
      itemLabel: 'Sender',
      plan: { label: 'Text Enablement', code: 'AV-TXT', feeMinor: 350 },
      number: '(603) 555-01##',
      records: [
        ['SMS segment', '0.0079'],
        ['MMS message', '0.0195'],
      ],
    }),
    mobileData({
      name: 'LTE Failover',
      itemLabel: 'Router',
      plan: { label: 'LTE Failover 5 GB', code: 'AV-LTE', feeMinor: 2400 },
      number: '(978) 555-01##',
      secondNumber: '310170#########',
      records: [['LTE data, domestic', '0.0006', 'failover.atlantic']],
    }),
  ],
  customers: [
    {
      label: 'Casco Bay Orthopedics',
      reference: 'AC-10031',
      addressLines: ['55 Lighthouse Road', 'Portland, ME 04102', 'United States'],
      agreements: ['Voice Services Agreement', 'Messaging Addendum'],
      sites: ['Portland Clinic', 'Saco Clinic'],
      costCentres: ['CLINIC', 'BILLING', 'SURGERY'],
      lines: [
        { count: 12, names: ['Desk of {name}', 'Exam room #', 'Front desk #'] },
        { count: 2, names: ['Appointment reminders', 'Billing notices'] },
        { count: 3, names: ['Router, Portland', 'Router, Saco', 'Router, mobile unit'] },
      ],
      share: 60,
      bundles: bundleTrio(
        ['Domestic Minutes 10,000', 'Domestic minutes', 10_000, 'minutes'],
        ['Text 5,000', 'SMS segments', 5000, 'messages'],
        ['LTE Failover Pool', 'LTE data', 15, 'GB'],
      ),
    },
    {
      label: 'Granite State Outfitters, Inc.',
      reference: 'AC-10047',
      addressLines: ['900 Summit Avenue', 'Concord, NH 03301', 'United States'],
      agreements: ['Voice Services Agreement', 'Store Connectivity Agreement'],
      sites: ['Concord Store', 'Keene Store'],
      costCentres: ['RETAIL', 'WEB-SHOP'],
      lines: [
        { count: 7, names: ['Store counter #', 'Desk of {name}'] },
        { count: 1, names: ['Order updates'] },
        { count: 2, names: ['Router, Concord', 'Router, Keene'] },
      ],
      share: 40,
      taxes: [
        { name: 'NH Communications Services Tax', rateMilli: 7000 },
        { name: 'Federal Universal Service Charge', rateMilli: 3340 },
      ],
      bundles: bundleTrio(
        ['Domestic Minutes 4,000', 'Domestic minutes', 4000, 'minutes'],
        ['Text 1,000', 'SMS segments', 1000, 'messages'],
        ['Toll-Free 500', 'Inbound toll-free minutes', 500, 'minutes'],
      ),
    },
  ],
}
