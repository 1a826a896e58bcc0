import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, messages, mobileData } from './service-templates.ts'

export const liberty: ResellerProfile = {
  id: 3004,
  name: 'Liberty Wireless',
  user: { username: 'authorize', displayName: 'Dana Whitaker' },
  legalEntity: {
    name: 'Liberty Wireless Corp.',
    number: 'EIN 00-5550134',
    addressLines: ['1776 Beacon Avenue', 'Philadelphia, PA 19103', 'United States'],
    email: 'billing@liberty.example',
    phone: '(215) 555-0134',
  },
  currency: 'USD',
  currencySymbol: '$',
  invoicePrefix: 'LW',
  terms: 'Net 21 days.',
  termDays: 21,
  payment: { type: 2, rawCard: true, directDebitMethodId: 1, takesDebits: true },
  taxes: [
    { name: 'PA Sales Tax', rateMilli: 6000 },
    { name: 'PA Gross Receipts Surcharge', rateMilli: 5000 },
  ],
  brand: {
    domain: 'liberty.example',
    colours: ['#ffffff', '#5b3df0', '#1f1a38', '#dad6f0', '#f6f5fd', '#ece8ff', '#8b74ff'],
    itemLabel: 'Line',
    help: {
      help_email: 'billing@liberty.example',
      help_phone: '(215) 555-0134',
      help_hours: 'Weekdays 9 am to 5 pm Eastern',
      terms_url: 'https://www.liberty.example/terms',
      privacy_url: 'https://www.liberty.example/privacy',
    },
    logo: {
      mark: 'beacon',
      ink: '#6d52ec',
      accent: '#d9d0ff',
      words: [
        { text: 'liberty', weight: 'extrabold' },
        { text: ' wireless', weight: 'regular' },
      ],
    },
    banner: { from: '#6a4bf2', to: '#1d1060', motif: 'arcs' },
  },
  utcOffset: -5,
  services: [
    mobileData({
      name: '5G Data',
      itemLabel: 'Line',
      plan: { label: 'Crew Unlimited Basic', code: 'LW-CREW', feeMinor: 3200 },
      number: '(215) 555-01##',
      secondNumber: '310990#########',
      records: [
        ['5G data, domestic', '0.000514', 'web.liberty'],
        ['Hotspot data', '0.000829', 'hotspot.liberty'],
      ],
    }),
    messages({
      name: 'Messaging',
      itemLabel: 'Line',
      plan: { label: 'Text Bundle', code: 'LW-TXT', feeMinor: 250 },
      number: '(267) 555-01##',
      records: [['Text message', '0.0085']],
    }),
    calls({
      name: 'International Calling',
      itemLabel: 'Line',
      plan: { label: 'World Calling', code: 'LW-WORLD', feeMinor: 600 },
      number: '(484) 555-01##',
      records: [['International call', '0.0725', '+44 20 7946 0821', '+1 604 555 0163']],
    }),
  ],
  customers: [
    {
      label: 'Brandywine Home Care Partners',
      reference: 'LW-88012',
      addressLines: ['40 Mill Race Lane', 'West Chester, PA 19380', 'United States'],
      agreements: ['Crew Agreement', 'Messaging Agreement'],
      sites: ['West Chester', 'Field staff'],
      costCentres: ['NURSING', 'OFFICE'],
      lines: [
        { count: 12, names: ['Nurse, {name}', 'Tablet 0##'] },
        { count: 2, names: ['Visit reminders', 'Shift notices'] },
        { count: 1, names: ['Office line'] },
      ],
      share: 60,
      bundles: bundleTrio(
        ['Crew Data 180 GB', '5G data, domestic', 180, 'GB'],
        ['Texts 6,000', 'Text messages', 6000, 'messages'],
        ['Hotspot 20 GB', 'Hotspot data', 20, 'GB'],
      ),
    },
    {
      label: 'Penn Hill Roofing',
      reference: 'LW-88020',
      addressLines: ['815 Slate Street', 'Lancaster, PA 17601', 'United States'],
      agreements: ['Crew Agreement', 'Messaging Agreement'],
      sites: ['Yard'],
      costCentres: ['CREWS'],
      lines: [
        { count: 6, names: ['Crew lead, {name}', 'Truck ##'] },
        { count: 1, names: ['Crew notices'] },
        { count: 1, names: ['Office line'] },
      ],
      share: 40,
      bundles: bundleTrio(
        ['Crew Data 80 GB', '5G data, domestic', 80, 'GB'],
        ['Texts 1,500', 'Text messages', 1500, 'messages'],
        ['Hotspot 10 GB', 'Hotspot data', 10, 'GB'],
      ),
    },
  ],
}
